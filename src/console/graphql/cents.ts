// Cents are BigInt wherever they are told, as they are where they are taken: whatever width a column has.
import 'postgraphile';
import { TYPES } from 'postgraphile/@dataplan/pg';
import { Kind } from 'postgraphile/graphql';

export const CentsPlugin: GraphileConfig.Plugin = {
  name: 'CentsPlugin',
  version: '1.0.0',
  gather: {
    hooks: {
      pgCodecs_attribute(_info, { pgAttribute, attribute }) {
        if (/(^|_)cents$/.test(pgAttribute.attname) && attribute.codec === TYPES.int) attribute.codec = TYPES.bigint;
      },
    },
  },
  schema: {
    hooks: {
      // It is told as a text, since it may be longer than a number of JSON. A number is taken, too.
      GraphQLScalarType(config) {
        const { parseLiteral, parseValue } = config;
        if (config.name !== 'BigInt' || !parseLiteral || !parseValue) return config;
        return {
          ...config,
          parseValue: (value) => parseValue(Number.isSafeInteger(value) ? String(value) : value),
          parseLiteral: (node, variables) =>
            parseLiteral(node.kind === Kind.INT ? { kind: Kind.STRING, value: node.value } : node, variables),
        };
      },
    },
  },
};
