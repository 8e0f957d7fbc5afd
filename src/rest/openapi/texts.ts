// What is neither a record nor a file: events, and the text for models.
import { llmsText } from '../llms.ts';
import { headersOf, ref } from './components.ts';

export function eventsOperation() {
  return {
    operationId: 'events',
    summary: 'What is published, as it is published',
    description: [
      'Server-sent events for as long as the reader listens: position at the beginning, then bell, boards, tournament and announcement, each with data in JSON.',
      'After a break give back the last id as Last-Event-ID, to any process, and what was published meanwhile is told first: of announcements the last 20 of today, of nights the last 30.',
      'Of several events that are told together the last one has the id; after a break such events may be told again. A comment every 15 seconds keeps the stream open.',
    ].join(' '),
    tags: ['hill'],
    parameters: [
      {
        name: 'Last-Event-ID',
        in: 'header',
        required: false,
        description: 'The id of the last event that the reader has. Browsers send it by themselves.',
        schema: { type: 'string', pattern: '^\\d{1,9}(\\.\\d{1,9}){5}$' },
      },
    ],
    responses: {
      200: {
        description: 'The stream.',
        headers: headersOf('Cache-Control', 'RateLimit', 'RateLimit-Policy'),
        content: {
          'text/event-stream': {
            schema: { type: 'string', description: 'The format of the WHATWG, HTML, 9.2.' },
            example:
              'retry: 3127\n\nevent: position\ndata: {"night":12,"boards":12,"day":13,"announcements":2}\nid: 12.12.13.1.12.2\n\n',
          },
        },
      },
      400: ref('responses', 'InvalidArgument'),
      429: ref('responses', 'TooManyRequests'),
      503: ref('responses', 'Unavailable'),
      default: ref('responses', 'Problem'),
    },
  };
}

export function llmsOperation(baseUrl: string) {
  return {
    operationId: 'llms',
    summary: 'The whole surface in about twenty lines',
    description: 'Every address and the way in to playing, as text for a model that has read nothing else.',
    tags: ['hill'],
    parameters: [ref('parameters', 'IfNoneMatch')],
    responses: {
      200: {
        description: 'The text.',
        headers: headersOf('ETag', 'Cache-Control', 'Vary', 'RateLimit', 'RateLimit-Policy'),
        content: {
          'text/plain': {
            schema: { type: 'string', description: 'Markdown.' },
            example: llmsText({ baseUrl, authUrl: baseUrl, operator: null, terms: null }),
          },
        },
      },
      304: ref('responses', 'NotModified'),
      429: ref('responses', 'TooManyRequests'),
      default: ref('responses', 'Problem'),
    },
  };
}
