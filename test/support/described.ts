// test/support/described.ts · real answers held against /openapi.json by a public validator (Ajv, JSON Schema 2020-12, the dialect of OpenAPI 3.1).
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { openApi } from '../../src/rest/openapi.ts';

export type Description = ReturnType<typeof openApi>;

export interface Described {
  /** What is wrong with an answer, one line each: an empty list is agreement. `described` is a path as the description writes it. */
  complaints(described: string, status: number, type: string, body: unknown): string[];
}

export function describedBy(description: unknown): Described {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  const { paths, components } = description as {
    paths: Record<string, { get: { responses: Record<string, object> } }>;
    components: { responses: Record<string, object> };
  };
  ajv.addSchema({ $id: 'hill:openapi', ...(description as object) });
  return {
    complaints(described, status, type, body) {
      const operation = paths[described]?.get;
      if (!operation) return [`${described} is not described`];
      const given = (operation.responses[status] ?? operation.responses.default) as {
        $ref?: string;
        content?: Record<string, { schema: { $ref: string } }>;
      };
      const response = (given.$ref ? components.responses[given.$ref.split('/').at(-1) as string] : given) as typeof given;
      const schema = response?.content?.[type.split(';')[0] as string]?.schema;
      if (!schema) return [`${described} ${status} ${type} is not described`];
      const validate = ajv.getSchema(`hill:openapi${schema.$ref}`) ?? ajv.compile({ $ref: `hill:openapi${schema.$ref}` });
      if (validate(body)) return [];
      return (validate.errors ?? []).map(({ instancePath, message }) => `${described} ${instancePath} ${message}`);
    },
  };
}
