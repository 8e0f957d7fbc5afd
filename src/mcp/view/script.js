// mcp/view/script.js · the script of the view: speaks with the host, and draws what status and night answered. Protocol 9.11; decisions 170-173.
(() => {
  const host = window.parent;
  const $ = (id) => document.getElementById(id);

  // Drawing. Names and messages are other people's text: every text becomes a text node, and no markup is ever parsed.

  const el = (name, attributes, ...inside) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes ?? {})) node.setAttribute(key, value);
    node.append(...inside.flat(Infinity).filter(Boolean));
    return node;
  };
  // A field that an answer lacks leaves a gap, not an error: the answer may be of another version of the hill than this view.
  const list = (value) => (Array.isArray(value) ? value : []);
  const number = (value) => (Number.isFinite(value) ? value.toLocaleString('en-US') : '–');
  const dollars = (cents) =>
    Number.isFinite(cents) ? (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' }) : '–';
  const plural = (n, one) => `${number(n)} ${one}${n === 1 ? '' : 's'}`;
  const clock = (iso) => `${String(iso).slice(11, 16)} UTC`;
  const joined = (parts) => parts.flatMap((part, i) => [i === 0 ? '' : i === parts.length - 1 ? ' and ' : ', ', part]);
  const places = (slots) => `place${slots.length === 1 ? '' : 's'} ${joined(slots.map(number)).join('')}`;
  const duration = (seconds) => {
    const minutes = Math.floor(seconds / 60);
    const units = [`${Math.floor(minutes / 1440)} d`, `${Math.floor(minutes / 60) % 24} h`, `${minutes % 60} min`];
    return (
      units
        .filter((unit) => !unit.startsWith('0 '))
        .slice(0, 2)
        .join(' ') || 'less than a minute'
    );
  };

  const words = ['PEACE', 'WAR', 'PASS', 'BURN', 'VACANT', 'house', 'kept', 'betrayed', 'bluffed', 'ghosted'];
  const tag = (word) => el('span', { class: words.includes(word) ? `tag ${word}` : 'tag' }, String(word));
  const theirs = (text) => el('bdi', null, String(text));
  const quoted = (text) => (text === undefined || text === null ? '' : ['“', theirs(text), '”']);
  const name = (one) => [
    theirs(typeof one === 'string' ? one : (one.name ?? one.slug ?? one.by ?? '?')),
    one.mine ? [' ', el('span', { class: 'tag you' }, 'you')] : '',
  ];
  const stake = (move) => [tag(move.move), move.stake_cents ? ` ${dollars(move.stake_cents)}` : ''];
  const section = (title, ...inside) => el('section', null, el('h2', null, title), ...inside);
  const told = (items) =>
    el(
      'div',
      { class: 'card' },
      items.length > 0 ? el('ul', { class: 'told' }, items) : el('p', { class: 'soft' }, 'Nothing is known of it.'),
    );
  const figure = (what, value) => el('div', null, el('dt', null, what), el('dd', null, value));

  // Chats keep what they show: it is told when this was so, and not counted down.
  const when = ({ day, bell_at, seconds_to_bell, bell_ringing }) => {
    const asOf = new Date(Date.parse(bell_at) - seconds_to_bell * 1000);
    const told = Number.isNaN(asOf.getTime())
      ? ''
      : `, as of ${asOf.toISOString().slice(0, 10)} ${clock(asOf.toISOString())}`;
    const bell = bell_ringing
      ? ' The bell is ringing.'
      : told && ` The bell rings at ${clock(bell_at)}, in ${duration(seconds_to_bell)}.`;
    return `Day ${number(day)}${told}.${bell}`;
  };

  const drawTonight = (status) => {
    const { account } = status;
    const own = list(account?.moves); // null while the bell rings
    return [
      status.bell_ringing &&
        el(
          'p',
          { class: 'notice' },
          el('strong', null, 'The bell is ringing.'),
          ' Places are as they were before it, and nobody can play.',
        ),
      account === null &&
        el('p', { class: 'notice' }, 'No human has claimed this agent yet: it can look, and not play.'),
      account && el('p', { class: 'soft' }, 'This agent plays for ', name(account), '.'),
      account &&
        el(
          'dl',
          { class: 'figures' },
          figure('Moves left today', number(account.moves_left)),
          figure('Places left today', number(account.places_left)),
          figure('Left of the cap', dollars(account.cap_left_cents)),
          figure('Available', dollars(account.available_cents)),
        ),
      section(
        'The ten places',
        el(
          'ol',
          { class: 'places' },
          Array.from({ length: 10 }, (_, i) => drawPlace(status, i + 1, own)),
        ),
      ),
      drawAnnounced('Announced today', status),
    ];
  };

  const drawPlace = (status, slot, moves) => {
    const place = list(status.places).find((one) => one?.slot === slot) ?? {};
    const occupants = list(place.occupants);
    const closed = place.opens_day !== undefined;
    return el(
      'li',
      null,
      el('span', { class: 'step' }, el('span', { class: 'hidden' }, 'Place '), String(slot)),
      el(
        'div',
        { class: 'who' },
        el(
          'div',
          { class: 'row' },
          el(
            'div',
            { class: 'seats' },
            occupants.length === 0 &&
              el('span', { class: 'soft' }, closed ? `Opens on day ${number(place.opens_day)}` : 'Free'),
            occupants.map((one) =>
              el(
                'div',
                null,
                el('span', { class: 'name' }, name(one)),
                el(
                  'span',
                  { class: 'meta' },
                  one.house ? [tag('house'), ' '] : '',
                  one.days_held === undefined
                    ? ''
                    : one.days_held === 0
                      ? 'new'
                      : `held ${plural(one.days_held, 'night')}`,
                ),
              ),
            ),
          ),
          el(
            'div',
            { class: 'meta price' },
            plural(list(status.points)[slot - 1] ?? 0, 'point'),
            // What others pay for PEACE is the same everywhere; rent is not.
            occupants.some((one) => one.mine) &&
              Number.isFinite(place.peace_cents) && [el('br'), `PEACE ${dollars(place.peace_cents)}`],
          ),
        ),
        moves
          .filter((move) => move.slot === slot)
          .map((move) =>
            el('p', { class: 'message own' }, 'Your sealed move: ', stake(move), ' ', quoted(move.message)),
          ),
      ),
    );
  };

  const shown = 5;
  const drawAnnounced = (title, record) => {
    const all = list(record.announcements);
    const house = list(record.house_announcements);
    const ofTheHouse = house.reduce((sum, { slots }) => sum + list(slots).length, 0);
    const more = (record.announcements_total ?? all.length + ofTheHouse) - Math.min(all.length, shown) - ofTheHouse;
    const announced = (who, said, where) =>
      el(
        'li',
        null,
        who,
        ' announced ',
        tag(said.intention),
        ' on ',
        where,
        ' ',
        quoted(said.message),
        said.verdict && [' ', tag(said.verdict)],
      );
    const items = [
      ...all.slice(0, shown).map((said) => announced(name(said), said, `place ${number(said.slot)}`)),
      ...house.map((said) => announced([tag('house'), ' agents'], said, places(list(said.slots)))),
      ...(more > 0 ? [el('li', { class: 'soft' }, 'And others.')] : []),
    ];
    return items.length > 0 && section(title, told(items));
  };

  const drawNight = (night, last) => {
    const resolved = list(night.places);
    const empty = resolved.filter((place) => place.outcome === 'VACANT').map((place) => place.slot);
    const { mine } = night;
    return [
      section(
        last ? `Last night, day ${number(night.day)}` : `The night of day ${number(night.day)}`,
        mine &&
          told(
            [
              el(
                'li',
                null,
                `You had ${plural(mine.points, 'point')} for ${dollars((mine.paid_cents ?? 0) + (mine.granted_cents ?? 0))}.`,
              ),
              list(mine.moves).map((move) =>
                el('li', null, 'Your ', stake(move), ` on place ${number(move.slot)} `, became(move)),
              ),
              list(mine.left_slots).map((slot) =>
                el('li', null, `You left place ${number(slot)}, where you played nothing.`),
              ),
            ].flat(),
          ),
        told([
          ...resolved
            .filter((place) => place.outcome !== 'VACANT')
            .map((place) =>
              el(
                'li',
                null,
                tag(place.outcome),
                ' ',
                el('strong', null, `Place ${number(place.slot)}.`),
                ' ',
                happened(place),
              ),
            ),
          ...(empty.length > 0 ? [el('li', null, tag('VACANT'), ` Nobody moved on ${places(empty)}.`)] : []),
          ...list(night.queue_served).map((served) =>
            el(
              'li',
              null,
              'From the queue: ',
              name(served),
              ` of place ${number(served.from_slot)} got place ${number(served.served_slot)}.`,
            ),
          ),
        ]),
      ),
      list(night.moves).length > 0 &&
        section(
          'Moves there',
          told(
            list(night.moves).map((move) => el('li', null, name(move), ' ', stake(move), ' ', quoted(move.message))),
          ),
        ),
      drawAnnounced('Announced that day', night),
    ];
  };

  const became = ({ result, queue, cost_cents }) => [
    {
      kept: 'kept its seat',
      seated: 'got a seat',
      evicted: 'was evicted',
      burned: 'burned',
      queued: 'got no seat there',
    }[result] ?? String(result),
    queue
      ? queue.served_slot
        ? `, and the queue gave it place ${number(queue.served_slot)}`
        : ', and the queue had none for it'
      : '',
    `, for ${dollars(cost_cents)}.`,
  ];

  const happened = (place) => {
    const occupants = list(place.occupants);
    const names = occupants.length > 0 ? joined(occupants.map(name)) : 'Somebody';
    const evicted = list(place.evicted);
    const others = (place.evicted_total ?? evicted.length) - evicted.length;
    const gone = [
      ...evicted.map(theirs),
      ...(others > 0 ? [evicted.length > 0 ? `${number(others)} more` : number(others)] : []),
    ];
    const end = gone.length > 0 ? [' Evicted: ', joined(gone), '.'] : '';
    if (place.outcome === 'WAR') return [names, ' went to war and sits there alone.', end];
    if (place.outcome === 'BURN') {
      const after = occupants.length === 0 ? ' Nobody sits there now.' : [' Now there: ', names, '.'];
      return [`${plural(place.war_count, 'warrior')} met, and ${dollars(place.burned_cents)} burned.`, after, end];
    }
    const queued = place.peace_count - occupants.length;
    return [
      names,
      occupants.length === 1 ? ' sits there alone' : ' share it',
      queued > 0 ? `; ${number(queued)} more went to the queue.` : '.',
      end,
    ];
  };

  // What is drawn: the last answer of each tool, or a word of why there is none.

  let tonight;
  let night;
  let problem;
  let mayAsk = false;

  const draw = () => {
    const lastNight = tonight?.last_night;
    const askNight = mayAsk && lastNight > 0 && night?.day !== lastNight;
    $('when').textContent = tonight ? when(tonight) : 'Ten places, sealed moves, one bell a day.';
    $('refresh').hidden = !mayAsk;
    $('refresh').textContent = tonight ? 'Refresh' : 'Show tonight';
    const showNight = el('button', { type: 'button' }, `Show last night, day ${number(lastNight)}`);
    showNight.onclick = () => ask('night', { day: lastNight });
    $('hill').replaceChildren(
      ...[
        problem && el('p', { class: 'notice text' }, problem),
        tonight && drawTonight(tonight),
        night && drawNight(night, night.day === lastNight),
        askNight && el('p', null, showNight),
      ]
        .flat(Infinity)
        .filter(Boolean),
    );
  };

  /** Takes the result of a tool, whichever it was. */
  const take = ({ isError, structuredContent: record, content } = {}) => {
    problem = undefined;
    if (isError || !Array.isArray(record?.places)) {
      const text = list(content)
        .map((part) => part?.text)
        .filter(Boolean)
        .join('\n');
      problem =
        (isError && record?.message && `${record.message} ${record.hint ?? ''}`) ||
        text ||
        'The tool gave nothing that can be drawn.';
    } else if (record.places.some((place) => 'outcome' in place)) night = record;
    else tonight = record;
    draw();
  };

  // The protocol: JSON-RPC over postMessage, MCP Apps 2026-01-26.

  const waiting = new Map();
  let ids = 0;
  // The host's origin is not known here. What is sent holds no secret, and goes to the window that embeds this one.
  const send = (message) => host.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++ids, { resolve, reject });
      send({ id: ids, method, params });
    });

  const ask = async (tool, args) => {
    $('said').textContent = 'Asking the hill.';
    const result = await request('tools/call', { name: tool, arguments: args }).catch(() => undefined);
    if (result) take(result);
    else {
      problem = 'The host did not let this view ask the hill.';
      draw();
    }
    $('said').textContent = problem ?? 'The hill is drawn anew.';
    if (document.activeElement === document.body) $('refresh').focus(); // the button that was pressed is gone
  };
  $('refresh').onclick = () => ask('status', {});

  const adapt = ({ theme } = {}) => {
    if (theme) document.documentElement.dataset.theme = theme;
  };
  const heard = new Map([
    ['ui/notifications/tool-result', take],
    ['ui/notifications/host-context-changed', adapt],
    ['ui/notifications/tool-cancelled', () => take({ content: [{ text: 'The call was cancelled.' }] })],
  ]);
  addEventListener('message', ({ source, data }) => {
    if (source !== host || data?.jsonrpc !== '2.0') return;
    const { id, method, params, result, error } = data;
    if (method === undefined) {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error) asked?.reject(error);
      else asked?.resolve(result);
    } else if (id === undefined) heard.get(method)?.(params);
    else if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} });
    else send({ id, error: { code: -32601, message: 'There is no such method.' } });
  });

  // Only the height: the view takes any width that it is given.
  const resized = () => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    send({ method: 'ui/notifications/size-changed', params: { height } });
  };
  const begin = async () => {
    const { hostContext, hostCapabilities } = await request('ui/initialize', {
      protocolVersion: '2026-01-26',
      appInfo: { name: 'hill', title: 'Hill', version: '1' },
      appCapabilities: { availableDisplayModes: ['inline'] },
    });
    adapt(hostContext);
    mayAsk = hostCapabilities?.serverTools !== undefined;
    send({ method: 'ui/notifications/initialized', params: {} });
    new ResizeObserver(resized).observe(document.documentElement);
  };
  begin();
})();
