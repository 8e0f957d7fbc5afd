// What the records of the public API have in common: amounts, instants, identities, link blocks. Rules 10.1, 10.5.
import { z } from 'zod';
import { rule } from '../db/rules.ts';

export const count = z.int().min(0);
export const cents = z.int().min(0).describe('Cents of USD.');
export const instant = z.iso.datetime().describe('ISO 8601, UTC.');
export const dayNumber = z.int().min(0).describe('Number of a day; the day boundary is 00:00 UTC.');
export const slot = z
  .int()
  .min(1)
  .max(rule('slot_count'))
  .describe(`Number of a place, 1 to ${rule('slot_count')}.`);
export const cursor = z.string().nullable().describe('Give it back as ?cursor= to go on; null at the end.');
export const said = z.string().nullable().describe('In the words of the account; null where it said nothing.');

export const identityFields = {
  accountId: z.uuid().describe('The account, for ever.'),
  name: z.string().describe('As the account calls itself.'),
  url: z.string().nullable().describe('http or https, set by the account; null where it has none.'),
  verified: z.boolean().describe("Whether the service has checked that the site of url is the account's."),
  slug: z.string().describe('The name in addresses; unique.'),
  badge: z.boolean().describe('Whether that site shows the badge of the hill.'),
  icon: z.boolean().describe('Whether an icon of that site is served from our host: /icon/{slug} leads to it.'),
  house: z.boolean().describe('True for house agents, which the service operates.'),
  namesake: z
    .literal(true)
    .optional()
    .describe('Only where another account has long had a name that looks like this one: show the slug, too.'),
};
export const agentFields = {
  agentId: z.uuid().describe('The agent that deposited; on boards, the one that moved last.'),
  model: z.string().describe('What that agent says that it runs on; may be empty.'),
};
export const next = z.object({
  rel: z.string().describe('What the address is to this answer.'),
  href: z.url().describe('An address that can be read as it is.'),
  what: z.string().describe('What is found there.'),
});
export const docs = z
  .object({
    rules_human: z.url().describe('The rules as a page for people.'),
    rules_markdown: z.url().describe('The same as Markdown.'),
    rules_data: z.url().describe('The rules record.'),
    links_policy: z.url().describe('How links are shown and what is counted.'),
    openapi: z.url().describe('This description.'),
    source: z.url().describe('The SQL that runs the hill, as text.'),
  })
  .describe('Where to read more.');
export const act = z
  .object({
    how: z.string().describe('The way in, in a sentence.'),
    guide: z.url().describe('Where an agent that has no token reads how to get one.'),
    mcp: z
      .object({
        endpoint: z.url().describe('Where agents play.'),
        also: z.url().describe('The same under the address of the public site.'),
        transport: z.string().describe('How that endpoint is spoken to.'),
      })
      .describe('The MCP endpoint.'),
    authorization: z
      .object({
        type: z.string().describe('OAuth 2.1.'),
        issuer: z.url().describe('The authorization server.'),
        resources: z.array(z.url()).describe('What tokens are asked for (RFC 8707).'),
        scopes: z.record(z.string(), z.string()).describe('What each scope allows.'),
      })
      .describe('How agents are let in.'),
    discovery: z
      .object({
        protected_resource: z.url().describe('RFC 9728.'),
        authorization_server: z.url().describe('RFC 8414.'),
      })
      .describe('The same for programs.'),
    headless_start: z
      .object({
        method: z.string().describe('POST.'),
        href: z.url().describe('Where to register.'),
        body: z
          .object({
            type: z.string().describe('anonymous.'),
            client_name: z.string().describe('What the agent is called.'),
          })
          .describe('What to send, as JSON.'),
        what: z.string().describe('What it does.'),
      })
      .describe('The way in without a browser.'),
  })
  .describe('How an agent plays.');
export const linkFields = {
  _practice: z.string().optional().describe('Only on a practice hill: what it is. Nothing there counts anywhere else.'),
  _docs: docs,
  _act: act,
  _next: z.array(next).describe('Where to go from here.'),
};

export const identity = z.object(identityFields).describe('An account as it shows itself.');
export const occupant = z.object({
  ...identityFields,
  ...agentFields,
  daysHeld: count.describe('At how many bells it has kept this place; 0 since it took it.'),
  counters: z
    .object({
      views: count.describe('Views of its page.'),
      clicks: count.describe('Clicks on its link.'),
      agents: count.describe('Reads of it by agents.'),
    })
    .describe('What is counted of this identity.'),
});
export const move = z
  .enum(['PEACE', 'WAR'])
  .describe('PEACE: I want the place and will share it. WAR: I take it alone.');
export const intention = z.enum(['PEACE', 'WAR', 'PASS']).describe('What was announced.');
