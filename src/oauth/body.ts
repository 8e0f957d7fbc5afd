// What a request carries: a form, each name once, or a JSON object.
import type Koa from 'koa';
import { Failure } from '../db/errors.ts';
import { isText, unfitText } from '../db/text.ts';
import { parseJson } from '../http/json.ts';
import { readBody } from '../http/read-body.ts';
import { invalidRequest, OAuthError } from './errors.ts';

const most = 16_384;

export class Form {
  readonly #params: URLSearchParams;

  constructor(params: URLSearchParams) {
    this.#params = params;
    if (![...params].flat().every(isText)) throw noText();
    // RFC 6749, 3.2; but a resource may be named several times (RFC 8707)
    for (const name of new Set(params.keys()))
      if (name !== 'resource' && params.getAll(name).length > 1)
        throw invalidRequest('A parameter is given more than once.');
  }

  /** An empty value is as one that is not there. RFC 6749, 3.2. */
  get(name: string): string | undefined {
    return this.#params.get(name) || undefined;
  }

  all(name: string): string[] {
    return this.#params.getAll(name).filter((value) => value !== '');
  }

  need(name: string): string {
    const value = this.get(name);
    if (value === undefined) throw invalidRequest(`${name} is missing.`);
    return value;
  }
}

export async function readForm(ctx: Koa.Context): Promise<Form> {
  if (!ctx.is('application/x-www-form-urlencoded'))
    throw invalidRequest('Send a form: Content-Type: application/x-www-form-urlencoded.');
  return new Form(new URLSearchParams(await readText(ctx)));
}

export async function readJson(ctx: Koa.Context): Promise<Record<string, unknown>> {
  if (!ctx.is('application/json', '+json')) throw invalidRequest('Send JSON: Content-Type: application/json.');
  const text = await readText(ctx);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw invalidRequest('The body is not JSON, or is nested too deep.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest('The body is not a JSON object.');
  if (unfitText(value) !== undefined) throw noText();
  return value as Record<string, unknown>;
}

async function readText(ctx: Koa.Context): Promise<string> {
  try {
    return await readBody(ctx.req, most);
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'BODY_TOO_LONG') throw thrown;
    ctx.set('Connection', 'close'); // what is still to come is not read
    throw new OAuthError(413, 'invalid_request', 'The body is too long.');
  }
}

const noText = () => invalidRequest('The body contains a character that is not valid text, such as a null character.');
