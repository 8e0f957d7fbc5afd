// The OpenAPI 3.1 description of the public API, made from the routes and shapes that are served. Rules 16.
import { about } from '../../records/about.ts';
import { eventsPath } from '../events.ts';
import { lineForms } from '../resources/forms.ts';
import { archive, identityMoves, nightFile, nightList, resources, tags } from '../resources/index.ts';
import { headers, parameters, problemSchema, responsesOf } from './components.ts';
import { archiveOperation, listOperation, movesOperation, nightFileOperation } from './files.ts';
import { linesOperation, operation } from './records.ts';
import { recordSchemas } from './schemas.ts';
import { eventsOperation, llmsOperation } from './texts.ts';

export function openApi(baseUrl: string) {
  return {
    openapi: '3.1.0',
    // the dialect that zod writes, named because some readers assume an older draft
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Hill: the public reading',
      version: about.version,
      summary: 'Ten places, sealed moves, one bell a day at 00:00 UTC. No account and no token.',
      description: [
        `Playing goes through the MCP endpoint; see ${baseUrl}/rules. Amounts are integers in cents of USD, timestamps ISO 8601 in UTC.`,
        'Every address answers GET, HEAD and OPTIONS, to every origin. Answers carry a strong ETag and say with Cache-Control how long they hold: until the next bell,',
        'and from 2 seconds before it until its night is published not at all. What went wrong is told as RFC 9457, with a stable code.',
      ].join('\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This hill.' }],
    security: [],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries([
      ...resources.map((resource) => [templated(resource.path), { get: operation(resource, baseUrl) }]),
      ...resources
        .filter(({ lines }) => lines !== undefined)
        .flatMap((resource) =>
          lineForms.map((form) => [`${resource.path}.${form}`, { get: linesOperation(resource, form, baseUrl) }]),
        ),
      [eventsPath, { get: eventsOperation() }],
      ...lineForms.map((form) => [templated(nightList.path(form)), { get: listOperation(form, baseUrl) }]),
      [templated(identityMoves.path), { get: movesOperation(baseUrl) }],
      [templated(nightFile.path), { get: nightFileOperation(baseUrl) }],
      [templated(archive.path), { get: archiveOperation(baseUrl) }],
      ['/llms.txt', { get: llmsOperation(baseUrl) }],
    ]),
    components: {
      schemas: { ...recordSchemas(), Problem: problemSchema },
      headers,
      parameters,
      responses: responsesOf(baseUrl),
    },
  };
}

const templated = (path: string) => path.replace(/:(\w+)/g, '{$1}');
