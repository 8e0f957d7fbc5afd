// /log: what the public log is, where it stands, how to check it, and what it does not prove. Rules 20.12.
import { html } from 'hono/html';
import type { Page } from '../html/layout.ts';
import { clockTime, date, datetime, plural } from '../html/words.ts';
import type { Log } from '../records/index.ts';
import type { Links } from '../records/links.ts';

const c2sp = (name: string) => html`<a href="https://c2sp.org/${name}">${name}</a>`;

const seen = (witnesses: Log['logs'][number]['witnesses']) => html`<h2 id="witnesses">Who has seen it</h2>
<p>According to ${plural(witnesses.length, 'witness', 'witnesses')}, this log was never shown to them with another history, and its last checkpoint was there at:</p>
<ul>${witnesses.map((one) => html`<li><time datetime="${datetime(one.seenAt)}">${clockTime(one.seenAt)} <span class="soft">${date(one.seenAt)}</span></time>, by the clock of <code>${one.name}</code></li>\n`)}</ul>`;

/** As rules 20.13 tells it, shorter. */
const readers = ['a newcomer', 'who looked before', 'who names a witness', 'who has a receipt'];
const cheats = [
  ['Holders, reputations, limits, or a seniority once it was seen', 'yes', 'yes', 'yes', 'yes'],
  ['Results, points, boards, or an engine that serves one account', 'yes', 'yes', 'yes', 'yes'],
  ['A deposit that says it was made earlier, by more than a quarter hour', 'yes', 'yes', 'yes', 'yes'],
  ['A history that is signed anew and follows from itself', 'no', 'yes', 'yes', 'of its own deposit'],
  ['A live move that is hidden', 'no', 'no', 'no', 'yes'],
];

export function logPage({ simulated, logs }: Log, links: Links): Page {
  const [log, ...ended] = logs;
  return {
    title: 'The public log',
    address: '/log',
    description:
      'An append-only log of each deposit and announcement, what resolved each night and what came of it, which anybody can check.',
    style:
      '.log code { overflow-wrap: anywhere; } .below { display: block; } .log dl:not(.figures) dt { margin-top: .6rem; } .log dl:not(.figures) dd { margin: 0; }',
    body: html`<article class="log">
<h1>The public log</h1>
<p>Once a line is in this log, nobody can change it, take it out or put one before it without a trace. It commits to each deposit and each announcement, and says how each day was closed, which engine resolved its night, what came of it, and the hash of the night file.
It grows on the quarter hour, and when a day is closed.</p>
${
  log === undefined
    ? html`<p class="card">Nothing has been signed yet. What there is to say is signed on a quarter hour.</p>`
    : html`<dl class="figures">
<div><dt>Entries</dt><dd>${log.size}</dd></div>
<div><dt>Signed</dt><dd><time datetime="${datetime(log.signedAt)}">${clockTime(log.signedAt)} <small class="soft below">${date(log.signedAt)}</small></time></dd></div>
<div><dt>Logs</dt><dd>${logs.length} <small class="soft below">${ended.length === 0 ? 'the first one goes on' : plural(ended.length, 'log has ended', 'logs have ended')}</small></dd></div>
<div><dt>Witnesses</dt><dd>${log.witnesses.length} <small class="soft below">${log.witnesses.length === 0 ? 'no outside clock' : 'signed it too'}</small></dd></div>
</dl>
${simulated ? html`<p class="card">The clock of this hill is simulated. What it signs says nothing about the time of the world${log.witnesses.length === 0 ? '' : '; the clocks of its witnesses do'}.</p>` : ''}
${log.witnesses.length === 0 ? '' : seen(log.witnesses)}
<h2 id="check">Check it</h2>
<ol>
<li>Pin the key: <code>${log.keys[0]}</code></li>
<li>Keep <a href="${links.log(log.number).checkpoint}">the checkpoint</a>: origin <code>${log.origin}</code>, size, root <code>${log.root}</code>, signature.</li>
<li>Fetch a later one. With the tiles below <code>${links.log(log.number).tiles}</code> any client of ${c2sp('tlog-tiles')} shows that it begins with yours.</li>
<li>Compare a night: its <a href="/api/days">night file</a>, its result and its engine have the hashes that the log says, and each of its moves opens to a deposit.</li>
</ol>
<p><code>npm run verify -- ${new URL(links.logPage).origin}</code> does all of it, from a checkout of Hill, and resolves the nights again. With <code>--receipts</code> and a file, it checks receipts that you hold. With <code>--save</code> and a folder, it keeps what it read, to be checked without a network. With <code>--log</code> it looks at the log alone: run by cron, that pins this hill.
The forms are ${c2sp('signed-note')}, ${c2sp('tlog-checkpoint')} and ${c2sp('tlog-tiles')}; the tree is that of RFC 6962. The log also signs with ML-DSA-44. All of this <a href="/api/log">as data</a> (JSON).</p>
<h2 id="lines">What its lines say</h2>
<dl>
<dt><code>deposit</code> day, hash</dt><dd>A deposit, a withdrawal too: a salted hash, which its account alone can open before the bell. Its receipt has the same. After the bell what lived <a href="/api/days">opens</a>; <code>/log/deposit/</code>day<code>/</code>hash proves that the line is there.</dd>
<dt><code>announcement</code> day, hash</dt><dd>An announcement: a salted hash. What opens it stands beside it in <a href="/api/announcements?proofs=true">the lists</a>, at once; where staff hid the words, their hash stays. <code>/log/announcement/</code>day<code>/</code>hash proves that the line is there.</dd>
<dt><code>engine</code> hash</dt><dd>An engine resolved its first night. Its source, as a tar file, stays at <code>/source/</code>hash, and <a href="/source#engines">what changed</a> from one to the next can be read.</dd>
<dt><code>night</code> day, engine, result</dt><dd>Which engine resolved the night, and the hash of the result.</dd>
<dt><code>closed</code> day, origin, size, root</dt><dd>With which checkpoint the day was closed before its night was resolved.</dd>
<dt><code>unsealed</code> day, hash</dt><dd>That a night was resolved without one, and the hash of the reason.</dd>
<dt><code>file</code> day, hash</dt><dd>The night file, with every move, as it was first made.</dd>
<dt><code>receipt-key</code> name</dt><dd>A key that signs receipts, one of <a href="/log/receipt-keys">those published</a>.</dd>
<dt><code>log</code> origin, size, root</dt><dd>Where the log before this one ended; its key names this one’s, as <a href="/api/log">handover</a>.</dd>
</dl>
<h2 id="who">Who notices what</h2>
<p>If whoever runs this hill cheats, with all keys and rights, a <a href="/check">check</a> of all nights names it to:</p>
<div class="wide"><table><thead><tr><th scope="col">Cheat</th>${readers.map((reader) => html`<th scope="col">${reader}</th>`)}</tr></thead><tbody>
${cheats.map(
  ([cheat, ...noticed]) => html`<tr><th scope="row">${cheat}</th>${noticed.map((one) => html`<td>${one}</td>`)}</tr>\n`,
)}</tbody></table></div>
<p>Nobody notices a deposit of its own that is made late, but before the day was closed; an account that claims to be older when it first moves; who came first within a quarter hour; or which credits paid. A move or a withdrawal that is invented in the name of an account is seen by that account, which cannot prove that it was not its own.</p>
<h2 id="not">What it does not prove</h2>
<p>That whoever runs this hill reads no sealed move, refuses nobody, and enters no late accounts of its own. ${log.witnesses.length === 0 ? 'Nor when something happened: no outside clock has signed it.' : 'Nor that its witnesses are independent of the hill: ask those whose names they carry.'}</p>
${
  ended.length === 0
    ? ''
    : html`<h2 id="ended">Logs that have ended</h2>
<p>Another log begins only where the database could not show that it continues the last one: after a restore, a failover that lost something, another name or another secret. Ask whoever runs this hill why.</p>
<ul>${ended.map((one) => html`<li><code>${one.origin}</code>, ${plural(one.size, 'entry', 'entries')}, root <code>${one.root}</code>, key <code>${one.keys[0]}</code></li>\n`)}</ul>`
}`
}
</article>`,
  };
}
