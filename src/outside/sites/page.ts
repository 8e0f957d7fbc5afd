// Decides whether a page vouches for an account: by the tag in its head, or by a badge that its readers can see. And
// which icons it names.
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { bestIcons, type IconLink } from './icon-links.ts';
import { tagName } from './tag-name.ts';

export interface Sought {
  /** The address that the page was read from. */
  readonly pageUrl: string;
  readonly token: string;
  /** Badge links of the account. */
  readonly own: readonly string[];
  /** Prefixes of the badge links of all accounts. */
  readonly others: readonly string[];
}

/** What was found; if nothing, the nearest miss. */
export type Found =
  | 'found'
  | 'wrong_tag'
  | 'badge_of_another'
  | 'badge_not_vouched_for'
  | 'badge_hidden'
  | 'nothing_found';

export interface Reading {
  readonly tag: boolean;
  readonly badge: boolean;
  readonly result: Found;
  /** Addresses of icons that the page names, the best first. */
  readonly icons: readonly string[];
}

const mostLinks = 100;
/** As the fetcher has it. */
const longestAddress = 2048;

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const isElement = (node: Node): node is Element => 'tagName' in node;
const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((one) => one.name === name)?.value;

/** To a parser, comments, scripts and templates contain no elements, so nothing in them is found. */
export function readPage(html: string, sought: Sought): Reading {
  const misses = new Set<Found>();
  const links: Element[] = [];
  let tag = false;
  let badge = false;
  let base = sought.pageUrl;
  // Not recursive, since a page may be nested to any depth.
  const rest: { node: Node; inHead: boolean; hidden: boolean }[] = [
    { node: parse(html), inHead: false, hidden: false },
  ];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { node } = next;
    let { inHead, hidden } = next;
    if (isElement(node)) {
      inHead ||= node.tagName === 'head';
      hidden ||= isHidden(node);
      if (node.tagName === 'base' && inHead) base = resolved(attribute(node, 'href'), sought.pageUrl)?.href ?? base;
      if (node.tagName === 'meta' && inHead && attribute(node, 'name')?.toLowerCase() === tagName) {
        if (attribute(node, 'content')?.trim() === sought.token) tag = true;
        else misses.add('wrong_tag');
      }
      if (node.tagName === 'link' && inHead && links.length < mostLinks) links.push(node);
      if (node.tagName === 'a') {
        const seen = judged(node, hidden, base, sought);
        if (seen === 'found') badge = true;
        else if (seen) misses.add(seen);
      }
    }
    if ('childNodes' in node)
      for (const child of node.childNodes.toReversed()) rest.push({ node: child, inHead, hidden });
  }
  const nearest = (['wrong_tag', 'badge_of_another', 'badge_not_vouched_for', 'badge_hidden'] as const).find((miss) =>
    misses.has(miss),
  );
  return {
    tag,
    badge,
    result: tag || badge ? 'found' : (nearest ?? 'nothing_found'),
    icons: bestIcons(links.flatMap((link) => iconLink(link, base))),
  };
}

/** None if its address cannot be fetched. */
function iconLink(link: Element, base: string): IconLink[] {
  const url = resolved(attribute(link, 'href'), base);
  const said = (name: string) => attribute(link, name) ?? '';
  return url && url.href.length <= longestAddress
    ? [{ rel: said('rel'), sizes: said('sizes'), type: said('type'), url }]
    : [];
}

/** What a link proves; undefined if it leads elsewhere. */
function judged(link: Element, hidden: boolean, base: string, { own, others }: Sought): Found | undefined {
  const url = resolved(attribute(link, 'href'), base);
  if (!url) return undefined;
  const address = url.origin + url.pathname.replace(/\/$/, '');
  if (!own.includes(address))
    return others.some((beginning) => address.startsWith(beginning)) ? 'badge_of_another' : undefined;
  // Sites mark links that others placed this way: in comments, forum posts, advertisements.
  if (/(^|\s)(ugc|nofollow|sponsored)(\s|$)/i.test(attribute(link, 'rel') ?? '')) return 'badge_not_vouched_for';
  return hidden || !hasContent(link) ? 'badge_hidden' : 'found';
}

function resolved(href: string | undefined, base: string): URL | undefined {
  if (href === undefined || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  return /^https?:$/.test(url.protocol) ? url : undefined;
}

/** As far as the page itself tells; style sheets are not read. */
const isHidden = (element: Element): boolean =>
  attribute(element, 'hidden') !== undefined ||
  attribute(element, 'inert') !== undefined ||
  /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*(hidden|collapse)|opacity\s*:\s*0*\.?0*\s*(!important)?\s*(;|$))/i.test(
    attribute(element, 'style') ?? '',
  );

/** Visible text or a picture. */
function hasContent(link: Element): boolean {
  const rest: Node[] = [...link.childNodes];
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (node.nodeName === '#text' && (node as DefaultTreeAdapterTypes.TextNode).value.trim() !== '') return true;
    if (!isElement(node) || isHidden(node)) continue;
    if (node.tagName === 'img' || node.tagName === 'svg' || node.tagName === 'picture') return true;
    rest.push(...node.childNodes);
  }
  return false;
}
