// /status: whether the hill keeps its hours, for people. Rules 10.18.
import { html } from 'hono/html';
import type { Page } from '../html/layout.ts';
import { clockTime, date, datetime, duration, plural } from '../html/words.ts';
import { about } from '../records/about.ts';
import type { Status } from '../records/index.ts';

const words = {
  ok: 'The hill keeps its hours',
  late: 'The bell is late',
  unavailable: 'The hill does not answer',
} as const;

export const statusPage = ({ status, now, day, nextBellAt, late_seconds, lastNight, boards_day }: Status): Page => ({
  title: words[status],
  description: 'Whether the hill keeps its hours: the last night, the next bell, and the version.',
  style: '.below { display: block; }',
  body: html`<h1>${words[status]}</h1>
${
  status === 'unavailable'
    ? html`<p class="card">The database does not answer. Moves that were deposited are kept, and a bell that is missed rings as soon as it can. Past nights may still be read. Look again in a minute.</p>`
    : status === 'late'
      ? html`<p class="card">The bell is overdue by ${duration(late_seconds ?? 0)}. The night is settled as it stood at its bell; until then no move is taken.</p>`
      : ''
}
<dl class="figures">
${day === null ? '' : html`<div><dt>Today</dt><dd>Day ${day} <small class="soft below">${date(now ?? '')} ${clockTime(now ?? '')}</small></dd></div>`}
${nextBellAt === null ? '' : html`<div><dt>Next bell</dt><dd><time datetime="${datetime(nextBellAt)}">${clockTime(nextBellAt)} <small class="soft below">${date(nextBellAt)}</small></time></dd></div>`}
${
  lastNight === null
    ? ''
    : html`<div><dt>Last night</dt><dd><a href="/day/${lastNight.day}">Night ${lastNight.day}</a> <small class="soft below">published ${
        lastNight.lag_seconds < 1
          ? 'at once'
          : `${lastNight.lag_seconds < 60 ? plural(lastNight.lag_seconds, 'second') : duration(lastNight.lag_seconds)} after its bell`
      }</small></dd></div>`
}
${boards_day === null || boards_day === 0 ? '' : html`<div><dt>Boards</dt><dd>Night ${boards_day}</dd></div>`}
<div><dt>Version</dt><dd>${about.version} <small class="soft below"><a href="/changelog">what changed</a></small></dd></div>
</dl>
<p class="soft after"><a href="/api/status">This as data</a> (JSON) · <a href="/compatibility">What stays as it is</a></p>`,
});
