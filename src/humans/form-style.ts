// What pages with forms add to the style of all pages.
export const formStyle = `
:root { --danger: #a8321f; --on-link: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --danger: #f0907c; --on-link: #10210f; } }
.away { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.stack > * + * { margin-top: 1rem; }
.stack > input[type=hidden] + * { margin-top: 0; }
.columns > * { min-width: 0; }
.items .when { white-space: normal; }
.items + .hint, .after + .hint, .facts + .hint, table + .hint, .items + form, .items + .buttons { margin-top: .9rem; }
.stack > .hint { margin-top: 1rem; }
.hint + .danger { margin-top: .6rem; }
.card > ul:not([class]) { padding-left: 1.2rem; }
.facts ul { margin: 0; padding-left: 1.1rem; }
.hint + form, .hint + p { margin-top: 1.1rem; }
.card h3 { margin: 1.25rem 0 .7rem; font-size: 1rem; }
.card form + form { margin-top: 1.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
/* Wide, what is seldom needed fills the shorter column; narrow, it comes last. */
@media (min-width: 60rem) { .columns.account { grid-template-rows: auto 1fr; } .columns.account > :nth-child(2) { grid-row: span 2; } }
.narrow { max-width: 30rem; margin: 0 auto 2rem; }
.narrow h1 { font-size: 1.6rem; margin: 0 0 .75rem; }
.tick { display: flex; gap: .6rem; align-items: baseline; font-weight: 400; }
.tick input { flex: none; width: 1.15rem; height: 1.15rem; align-self: start; margin: .2rem 0 0; accent-color: var(--link); }
label { display: block; font-weight: 600; margin: 0 0 .25rem; }
.hint { color: var(--soft); font-size: .88rem; margin: .25rem 0 0; }
.problem { color: var(--danger); font-size: .92rem; font-weight: 600; margin: .25rem 0 0; }
input:not([type=hidden]):not([type=radio]):not([type=checkbox]) { font: inherit; font-variant-numeric: tabular-nums; width: 100%; min-height: 2.75rem; padding: .5rem .7rem; color: var(--ink); background: var(--paper);
  border: 1px solid var(--soft); border-radius: .4rem; }
.money { display: grid; grid-template-columns: auto 1fr; align-items: center; gap: .5rem; }
.pair { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr)); }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
legend { font-weight: 600; padding: 0; }
label.radio { display: flex; gap: .6rem; align-items: center; min-height: 2.25rem; margin: 0; font-weight: 400; }
button, .button { font: inherit; overflow-wrap: anywhere; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.1rem; border-radius: .4rem; border: 1px solid var(--link); background: var(--link); color: var(--on-link);
  cursor: pointer; text-decoration: none; display: inline-flex; align-items: center; justify-content: center; text-align: center; }
button:hover, .button:hover { filter: brightness(1.1); }
button.plain, .button.plain { background: transparent; color: var(--link); }
button.danger { background: transparent; color: var(--danger); border-color: var(--danger); }
button.small { min-height: 2.25rem; padding: .25rem .8rem; font-size: .92rem; }
button:focus-visible, input:focus-visible, .button:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.wide-button { width: 100%; }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.1rem; }
.buttons > * { flex: 1 1 9rem; }
form { margin: 0; }
.notice.good { border-left-color: var(--peace); }
.notice.bad { border-left-color: var(--war); }
.notice p:last-child { margin: 0; }
.warning { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; justify-content: space-between; margin-bottom: .75rem; }
.warning > p { margin: 0; flex: 1 1 18rem; }
.warning > p:last-child { flex: 0 0 auto; }
.items { list-style: none; margin: 0; padding: 0; }
.items > li { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; justify-content: space-between; padding: .7rem 0; border-top: 1px solid var(--line); }
.items > li:first-child { border-top: 0; padding-top: 0; }
.items > li:last-child { padding-bottom: 0; }
.items .about { flex: 1 1 12rem; min-width: 0; }
.items .about p { margin: 0; }
.items .cut-off { opacity: .7; }
details summary { cursor: pointer; color: var(--danger); font-weight: 600; min-height: 2.25rem; display: inline-flex; align-items: center; }
.quiet summary { color: var(--link); }
details form { margin-top: .5rem; max-width: 22rem; }
.me { text-align: right; }
.me p { margin: 0 0 .4rem; overflow-wrap: anywhere; }
@media (max-width: 36rem) { .me { text-align: left; width: 100%; display: flex; gap: 1rem; align-items: center; justify-content: space-between; } .me p { margin: 0; } .me bdi { display: block; } .me button { white-space: nowrap; } }
.facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .4rem 1rem; margin: 0 0 1rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { .facts { grid-template-columns: 1fr; gap: 0; } .facts dd { margin-bottom: .6rem; } }
input.code { font-size: 1.6rem; letter-spacing: .35em; text-align: center; max-width: 14rem; }
input.letters { letter-spacing: .12em; text-transform: uppercase; max-width: none; }
input.letters::placeholder { opacity: .5; }
.user-words { border-left: .3rem solid var(--line); padding-left: .8rem; }
.user-code { font-size: 1.9rem; letter-spacing: .1em; text-align: center; margin: .5rem 0; }
.last-night h2 { display: flex; justify-content: space-between; gap: 1rem; align-items: baseline; }
.last-night h2 a { font-size: .92rem; font-weight: 400; }
.headline { font-size: clamp(1.35rem, 1rem + 1.6vw, 1.9rem); font-weight: 700; line-height: 1.2; letter-spacing: -.01em; font-variant-numeric: tabular-nums; }
.headline::first-letter { text-transform: uppercase; }
.sum { font-variant-numeric: tabular-nums; white-space: nowrap; }
.told + .told { margin-top: .45rem; padding-top: .45rem; border-top: 1px solid var(--line); }
.plots { display: grid; gap: 1.25rem 2rem; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); }
.plots h3 { margin: 0 0 .5rem; font-size: 1rem; }
.nights td { vertical-align: top; }
.nights + .pages { margin-top: 1.25rem; }
.nights .told li { border: 0; padding: 0 0 .2rem; }
.nights .told + .told { border: 0; margin: 0; padding: 0; }
.nights .transfer { color: var(--soft); }
.nights td:first-child { white-space: nowrap; }
@media (max-width: 40rem) {
  .nights td:nth-child(2)::before { content: none; }
  .nights td.number, .nights td.number + td.number { display: inline-block; text-align: left; padding: .1rem 1.2rem .1rem 0; }
  .nights td.number:empty, .nights td.number + td.number:empty { display: none; }
  .nights tr:first-child { border-top: 0; padding-top: 0; }
}
.columns > div > section:last-child { margin-bottom: 1.75rem; }
`;
