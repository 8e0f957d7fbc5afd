// Smart tags: how to show tables where their structure does not say it.
//
// Kept here rather than in comments on the tables, which are for people who read the database.
import { jsonPgSmartTags } from 'postgraphile/utils';

const hidden = { tags: { behavior: '-*' } };
const relation = (columns: string, table: string, remote: string, ...tags: string[]) =>
  [`(${columns}) references hill.${table} (${remote})`, ...tags].join('|');
const oneWay = '@backwardBehavior -*';
/** A row of a function leads to its account; an account does not lead back. */
const ofAccount = { tags: { foreignKey: [relation('account_id', 'accounts', 'id', oneWay)] } };

export const TagsPlugin = jsonPgSmartTags({
  version: 1,
  config: {
    class: {
      'hill.settings': { tags: { behavior: '-single' }, attribute: { singleton: hidden } },
      // Shows the counters of some seconds ago.
      'hill.identity_counters': {
        attribute: { shown_until: hidden, shown_views: hidden, shown_clicks: hidden, shown_agents: hidden },
        constraint: { identity_counters_account_id_fkey: { tags: { foreignFieldName: 'counters' } } },
      },
      // The plain names belong to the lists of a night.
      'hill.nights': {
        attribute: { accounts: { tags: { name: 'account_count' } }, moves: { tags: { name: 'move_count' } } },
      },
      'hill.wallets': {
        // Counts of moves in a form for machines; the settlement of a night has them as numbers.
        attribute: { peace_ring: hidden, war_ring: hidden, ring_day: hidden },
      },
      'hill.transfers': {
        constraint: {
          // Their indexes are partial (without nulls), and PostGraphile does not count those.
          transfers_debit_account_id_fkey: { tags: { foreignFieldName: 'debits', isIndexed: true } },
          transfers_credit_account_id_fkey: { tags: { foreignFieldName: 'credits', isIndexed: true } },
          transfers_debit_code_fkey: {
            tags: { fieldName: 'debitLedgerAccount', foreignFieldName: 'debits', isIndexed: true },
          },
          transfers_credit_code_fkey: {
            tags: { fieldName: 'creditLedgerAccount', foreignFieldName: 'credits', isIndexed: true },
          },
        },
      },
      // Where the lot lies on its account's line; remainingCents says what that means.
      'hill.lots': {
        attribute: { from_cents: hidden },
        constraint: { lots_account_id_from_cents_key: { tags: { behavior: '-single' } } },
      },
      'hill.moves': {
        tags: {
          foreignKey: [
            relation('account_id', 'accounts', 'id'),
            relation('agent_id', 'agents', 'id', oneWay),
            relation('day', 'nights', 'day'),
            relation('slot', 'places', 'slot', oneWay),
            relation('day,slot', 'place_results', 'day,slot'),
            relation('day,account_id', 'settlements', 'day,account_id'),
          ],
        },
        attribute: {
          // Only live moves can be read here, and these are null for them.
          ...{ ended: hidden, ended_at: hidden, end_salt: hidden, end_commitment: hidden },
          // For who checks the log; staff have nothing to do with it.
          ...{ salt: hidden, ends: hidden, message_hash: hidden, commitment: hidden },
        },
      },
      'hill.place_results': { constraint: { place_results_slot_fkey: { tags: { foreignFieldName: 'results' } } } },
      'hill.seats': {
        tags: {
          foreignKey: [
            relation('day,slot', 'place_results', 'day,slot'),
            relation('day,account_id,seq', 'moves', 'day,account_id,seq'),
          ],
        },
        // Few rows a night: following an agent's needs no index.
        constraint: { seats_agent_id_fkey: { tags: { isIndexed: true } } },
      },
      'hill.settlements': {
        tags: { foreignKey: [relation('account_id', 'accounts', 'id'), relation('day', 'nights', 'day')] },
      },
      'hill.announcements': {
        tags: { foreignKey: [relation('day', 'nights', 'day')] },
        attribute: { salt: hidden, message_hash: hidden, commitment: hidden },
        constraint: { announcements_agent_id_fkey: { tags: { backwardBehavior: '-*' } } },
      },
      'hill.leaderboard': {
        tags: {
          name: 'leaderboard_entries',
          foreignKey: [relation('account_id', 'accounts', 'id'), relation('day', 'boards', 'day')],
        },
      },
      'hill.audit_log': {
        tags: { name: 'audit_entries' },
        constraint: {
          // Entries are few enough to be read through.
          audit_log_staff_account_id_fkey: { tags: { foreignFieldName: 'auditEntriesAsStaff', isIndexed: true } },
        },
      },
      'hill.tournament_codes': {
        tags: { foreignKey: [relation('order_id', 'credit_orders', 'id', '@fieldName order')] },
      },
      'hill.credit_orders': {
        constraint: {
          credit_orders_ordered_by_account_id_fkey: { tags: { foreignFieldName: 'creditOrdersAsStaff' } },
          credit_orders_decided_by_account_id_fkey: { tags: { foreignFieldName: 'creditOrdersDecided' } },
        },
      },
      'hill.account_orders': {
        constraint: {
          account_orders_begun_by_account_id_fkey: { tags: { foreignFieldName: 'accountOrdersAsStaff' } },
          account_orders_approved_by_account_id_fkey: { tags: { foreignFieldName: 'accountOrdersApproved' } },
        },
      },
      // What functions of api_staff return.
      'api_staff.found_account': ofAccount,
      'api_staff.night_decision': {
        tags: {
          foreignKey: [
            relation('account_id', 'accounts', 'id', oneWay),
            relation('rival_id', 'accounts', 'id', oneWay),
          ],
        },
      },
      'api_staff.charge': { tags: { foreignKey: [relation('lot_id', 'lots', 'id', oneWay)] } },
      'api_staff.history_entry': {
        tags: {
          foreignKey: [
            relation('account_id', 'accounts', 'id', oneWay),
            relation('transfer_id', 'transfers', 'id', oneWay),
          ],
        },
      },
      'api_staff.stopped_account': ofAccount,
      'api_staff.webhook': ofAccount,
      'api_staff.webhook_delivery': ofAccount,
      'api_staff.credit_holder': ofAccount,
      'api_staff.disputed_payment': {
        tags: {
          foreignKey: [
            relation('account_id', 'accounts', 'id', oneWay),
            relation('top_up_id', 'top_ups', 'id', oneWay),
          ],
        },
      },
      'api_staff.waiting_payment': ofAccount,
      'api_staff.expiring_lot': {
        tags: {
          foreignKey: [relation('account_id', 'accounts', 'id', oneWay), relation('lot_id', 'lots', 'id', oneWay)],
        },
      },
    },
    // The table of moves is Move.
    type: { 'hill.move': { tags: { name: 'move_kind' } } },
    procedure: {
      // The console calls these itself, before and after GraphQL: sql/api/staff/sessions.sql.
      'api_staff.open_session': hidden,
      'api_staff.enter_console': hidden,
      'api_staff.close_session': hidden,
      // For the variables of the questions: questions.ts.
      'api_staff.example': hidden,
      // A field of an attempt.
      'api_staff.nearest_code': hidden,
    },
  },
});
