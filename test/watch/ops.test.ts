// The rules for Prometheus are what promtool takes, fire when they should, and lead to a section of the runbook.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkout } from '../../src/process/config.ts';

const file = (name: string) => path.join(checkout, name);
const promtool = (...args: string[]) =>
  execFileSync('promtool', args, { cwd: checkout, encoding: 'utf8', stdio: 'pipe' });
const hasPromtool = spawnSync('which', ['promtool']).status === 0;

describe.skipIf(!hasPromtool)('promtool (apt-get install prometheus)', () => {
  test('takes the configuration and the rules', () => {
    expect(promtool('check', 'config', 'ops/prometheus/prometheus.yml')).toMatch(/SUCCESS: \d+ rules? found/);
  });

  test('sees each alert fire when it should, and none on a hill that is well', () => {
    expect(promtool('test', 'rules', 'ops/prometheus/alerts.test.yml')).toContain('SUCCESS');
  });
});

test('each alert is told of when it fires and when it is silent', () => {
  const alerts = [...fs.readFileSync(file('ops/prometheus/alerts.yml'), 'utf8').matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  const tested = fs.readFileSync(file('ops/prometheus/alerts.test.yml'), 'utf8');
  for (const alert of alerts)
    expect(tested.match(new RegExp(`alertname: ${alert}\\b`, 'g'))?.length, alert).toBeGreaterThan(1);
});

test('each alert has a section of the runbook, and a row in docs/observability.md', () => {
  const rules = fs.readFileSync(file('ops/prometheus/alerts.yml'), 'utf8');
  const pairs = [...rules.matchAll(/- alert: (\w+)[\s\S]*?runbook: (docs\/runbook\.md#[a-z-]+)/g)].map(
    ([, alert, link]) => [alert, link],
  );
  expect(pairs.length).toBe(rules.match(/- alert:/g)?.length);
  const told = fs.readFileSync(file('docs/observability.md'), 'utf8');
  for (const [alert] of pairs) expect(told).toContain(`| \`${alert}\` |`);
  const runbook = file('docs/runbook.md');
  if (!fs.existsSync(runbook)) return;
  const headings = [...fs.readFileSync(runbook, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
    (text as string).toLowerCase().replaceAll(' ', '-'),
  );
  for (const [, link] of pairs) expect(headings).toContain(link?.split('#')[1]);
});

test('the dashboard is JSON with a query in every panel', () => {
  const { panels } = JSON.parse(fs.readFileSync(file('ops/grafana/hill.json'), 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  for (const { title, targets } of panels) for (const { expr } of targets) expect(expr, title).toMatch(/hill_/);
});
