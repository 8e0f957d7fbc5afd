// Operations that answer a record, and boards as lines.
import type { z } from 'zod';
import type { Columns } from '../../archives/csv.ts';
import { about } from '../../records/about.ts';
import { named, unavailable } from '../../records/index.ts';
import { linksOf } from '../../records/links.ts';
import { asLines, type Paged } from '../lines.ts';
import type { LineForm } from '../resources/forms.ts';
import { operationId, type Resource } from '../resources/index.ts';
import { headersOf, ref } from './components.ts';
import { example } from './examples.ts';
import { idOf, linesContent } from './lines.ts';
import { component, parametersOf } from './schemas.ts';

export function operation(resource: Resource, baseUrl: string) {
  // its other forms are operations of their own, so that a generated client has one type for each
  const given = parametersOf(resource.path, resource.args).filter(
    ({ name }) => !(resource.bulk && ['format', 'list'].includes(name)),
  );
  return {
    operationId: operationId(resource),
    summary: resource.summary,
    description: resource.description,
    tags: [resource.tag],
    parameters: [...given, ref('parameters', 'IfNoneMatch')],
    responses: {
      200: {
        description: resource.summary,
        headers: headersOf(
          'ETag',
          'Cache-Control',
          'Vary',
          ...(resource.bulk ? (['Content-Digest'] as const) : []),
          'RateLimit',
          'RateLimit-Policy',
        ),
        content: {
          'application/json': {
            schema: { $ref: component(named.get(resource.record)?.id ?? '') },
            ...example(operationId(resource), baseUrl),
          },
        },
      },
      304: ref('responses', 'NotModified'),
      ...(given.length > 0 ? { 400: ref('responses', 'InvalidArgument') } : {}),
      ...(resource.unknown ? { 404: ref('responses', resource.unknown) } : {}),
      429: ref('responses', 'TooManyRequests'),
      503: resource.without ? statusUnavailable(baseUrl) : ref('responses', 'Unavailable'),
      default: ref('responses', 'Problem'),
    },
  };
}

/** A board as lines. */
export function linesOperation(resource: Resource, form: LineForm, baseUrl: string) {
  const { responses, ...rest } = operation(resource, baseUrl);
  const name = operationId(resource);
  const lines = asLines(example(name, baseUrl).example as Paged, resource.lines as Columns<never>, form);
  const headers = {
    ...responses[200].headers,
    ...headersOf('Content-Digest'),
    ...('cursor' in shapeOf(resource) ? headersOf('Link') : {}),
  };
  return {
    ...rest,
    operationId: name + idOf[form],
    summary: `${resource.summary}, as ${form.toUpperCase()}`,
    description: `${resource.description} Without limit all of it, up to 20,000 entries; then the Link field leads to the rest.`,
    responses: {
      ...responses,
      200: { ...responses[200], headers, content: linesContent(form, name, baseUrl, { example: lines }) },
    },
  };
}

const shapeOf = ({ args }: Resource) => (args as z.ZodObject).shape;

const statusUnavailable = (baseUrl: string) => ({
  description: 'The database does not answer.',
  headers: { 'Retry-After': ref('headers', 'Retry-After') },
  content: {
    'application/json': {
      schema: { $ref: component('Status') },
      example: { ...unavailable, version: about.version, ...linksOf({ baseUrl, authUrl: baseUrl }).blocks([]) },
    },
  },
});
