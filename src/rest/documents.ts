// What changes only with the code: descriptions for programs and models, rules for crawlers, icons. Rules 10.2, 16.
import { answer } from '../http/answer.ts';
import { Representation } from '../http/representation.ts';
import type { Config } from '../process/config.ts';
import { agentSkills } from './agent-skills.ts';
import { robots, securityTxt } from './crawlers.ts';
import { discovery } from './discovery.ts';
import { iconFiles } from './icons.ts';
import { llmsText } from './llms.ts';
import { openApi } from './openapi/index.ts';
import type { Serve } from './serve.ts';

const unchanging = 'public, max-age=300, must-revalidate';
const text = 'text/plain; charset=utf-8';

export function serveDocuments(serve: Serve, config: Config): void {
  const give = (path: string, representation: () => Representation) =>
    serve(path, (ctx) => answer(ctx, representation(), unchanging));
  const giveText = (path: string, type: string, body: string) => {
    const document = new Representation(type, body);
    give(path, () => document);
  };
  let description: Representation | undefined;
  give('/openapi.json', () => {
    // some 50 ms, which a start has not
    description ??= new Representation('application/json; charset=utf-8', JSON.stringify(openApi(config.baseUrl)));
    return description;
  });
  giveText('/llms.txt', text, llmsText(config));
  for (const { path, type, body } of [...discovery(config), ...agentSkills(config)]) giveText(path, type, body);
  giveText('/robots.txt', text, robots(config));
  give('/.well-known/security.txt', () => new Representation(text, securityTxt(config)));
  for (const [path, picture] of iconFiles) give(path, () => picture);
}
