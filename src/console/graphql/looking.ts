// A query that leaves a trace: looking an e-mail address up is written to the audit log.
import 'postgraphile';
import { type DocumentNode, Kind, visit } from 'postgraphile/graphql';

/**
 * api_staff.find_accounts is volatile for the sake of its trace. To those who ask it is a query, which changes nothing
 * that they asked about.
 */
export const LookingPlugin: GraphileConfig.Plugin = {
  name: 'LookingPlugin',
  version: '1.0.0',
  gather: {
    hooks: {
      pgProcedures_PgResourceOptions(_info, { pgProc, resourceOptions }) {
        if (pgProc.proname === 'find_accounts') resourceOptions.isMutation = false;
      },
    },
  },
};

/** Whether a query may have to write its trace. It still runs as hill_staff, which may change nothing by itself. */
export function leavesTrace(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    [Kind.FIELD](node) {
      if (node.name.value === 'findAccounts') found = true;
    },
  });
  return found;
}
