// What on a page counts as an account's tag or badge, and what does not: markup as real sites and cheats write it.
import { describe, expect, test } from 'vitest';
import { readPage } from '../../../src/outside/sites/page.ts';
import { linksOf } from '../../../src/records/links.ts';

const token = '0123456789abcdef0123456789abcdef';
const sought = {
  pageUrl: 'https://me.example/about/',
  token,
  ...linksOf({ baseUrl: 'https://hill.example', authUrl: 'https://hill.example' }).badges(['me', 'former-me']),
};
const read = (html: string) => {
  const { icons: _, ...found } = readPage(html, sought);
  return found;
};
const tag = `<meta name="hill-verification" content="${token}">`;
const badge = '<a href="https://hill.example/identity/me">Me on Hill</a>';

describe('the tag', () => {
  test.each([
    ['in the head', `<head>${tag}</head>`],
    ['of a page that writes no head', `<!doctype html><title>x</title>${tag}<p>Hello`],
    ['in capitals, with single quotes and blanks', `<HEAD><META NAME='Hill-Verification' CONTENT=' ${token} '></HEAD>`],
    ['closed as XHTML does', `<head><meta content="${token}" name="hill-verification" /></head>`],
  ])('%s', (_, html) => expect(read(html)).toEqual({ tag: true, badge: false, result: 'found' }));

  test.each([
    ['in the body', `<body><p>Hello</p>${tag}`, 'nothing_found'],
    ['in a comment', `<head><!-- ${tag} --></head>`, 'nothing_found'],
    ['in a script', `<head><script>document.write('${tag}')</script></head>`, 'nothing_found'],
    ['in a template', `<head><template>${tag}</template></head>`, 'nothing_found'],
    ['in noscript', `<head><noscript>${tag}</noscript></head>`, 'nothing_found'],
    ['in a style', `<head><style>${tag}</style></head>`, 'nothing_found'],
    ['in a title', `<head><title>${tag}</title></head>`, 'nothing_found'],
    ['in a text area', `<body><textarea>${tag}${badge}</textarea>`, 'nothing_found'],
    ['as text', '<head></head><body>&lt;meta name="hill-verification"&gt;', 'nothing_found'],
    ['of another account', `<head>${tag.replace('0123', '3210')}</head>`, 'wrong_tag'],
    ['empty', '<head><meta name="hill-verification"></head>', 'wrong_tag'],
    ['of another name', `<head>${tag.replace('hill-verification', 'hill')}</head>`, 'nothing_found'],
  ])('not %s', (_, html, result) => expect(read(html)).toEqual({ tag: false, badge: false, result }));
});

describe('the badge', () => {
  test.each([
    ['with text', badge],
    ['to the address that counts clicks', badge.replace('identity', 'go')],
    ['of a slug that was left', badge.replace('/me', '/former-me')],
    ['with a picture', '<a href="https://hill.example/identity/me"><img src="badge.svg" alt=""></a>'],
    ['deep in the page', `<main><section><ul><li><span>${badge}</span></li></ul></section></main>`],
    ['with a slash, a query and a fragment', badge.replace('/me"', '/me/?from=site#x"')],
    ['with rel that says nothing against it', badge.replace('<a ', '<a rel="noopener me" ')],
    ['beside broken markup', `<p><b><i>${badge}</p></i><table><tr>`],
    ['relative to a base', '<head><base href="https://hill.example/"></head><a href="/identity/me">Me</a>'],
    ['in capitals where they do not matter', badge.replace('https://hill', 'HTTPS://HILL')],
  ])('%s', (_, html) => expect(read(html)).toEqual({ tag: false, badge: true, result: 'found' }));

  test.each([
    ['of another account', badge.replace('/me', '/you'), 'badge_of_another'],
    ['of a longer slug', badge.replace('/me', '/me-too'), 'badge_of_another'],
    ['on another host', badge.replace('hill.example', 'hill.example.evil.example'), 'nothing_found'],
    ['with a user name for a host', badge.replace('hill.example', 'hill.example@evil.example'), 'nothing_found'],
    ['of another scheme', badge.replace('https:', 'http:'), 'nothing_found'],
    ['relative to the page itself', '<a href="/identity/me">Me</a>', 'nothing_found'],
    ['as a script', '<a href="javascript:location=\'https://hill.example/identity/me\'">Me</a>', 'nothing_found'],
    ['in a comment', `<!-- ${badge} -->`, 'nothing_found'],
    ['in a template', `<template>${badge}</template>`, 'nothing_found'],
    ['in the source of a frame', `<iframe srcdoc='${badge}'></iframe>`, 'nothing_found'],
    [
      'as another element',
      '<link href="https://hill.example/identity/me"><form action="https://hill.example/identity/me"></form>',
      'nothing_found',
    ],
    ['written by a visitor', badge.replace('<a ', '<a rel="UGC nofollow" '), 'badge_not_vouched_for'],
    ['paid for', badge.replace('<a ', '<a rel="sponsored" '), 'badge_not_vouched_for'],
    ['hidden itself', badge.replace('<a ', '<a hidden '), 'badge_hidden'],
    ['in what is hidden', `<div hidden><p>${badge}</p></div>`, 'badge_hidden'],
    ['not displayed', `<div style="color: red; display:none">${badge}</div>`, 'badge_hidden'],
    ['invisible', `<div style="visibility: hidden">${badge}</div>`, 'badge_hidden'],
    ['transparent', `<div style="opacity: 0">${badge}</div>`, 'badge_hidden'],
    ['empty', '<a href="https://hill.example/identity/me"> </a>', 'badge_hidden'],
    [
      'with nothing to see in it',
      '<a href="https://hill.example/identity/me"><img hidden><!-- Me --></a>',
      'badge_hidden',
    ],
    ['without an address', '<a>Me on Hill</a><a href="">x</a><a href="https://[">y</a>', 'nothing_found'],
  ])('not %s', (_, html, result) => expect(read(html)).toEqual({ tag: false, badge: false, result }));

  test('that is half visible is: opacity 0.5, a word in another property', () => {
    expect(read(`<div style="opacity: 0.5; font-family: hidden">${badge}</div>`).badge).toBe(true);
  });

  test('counts when one of several is good', () => {
    expect(read(`<div hidden>${badge}</div>${badge.replace('/me', '/you')}${badge}`)).toEqual({
      tag: false,
      badge: true,
      result: 'found',
    });
  });
});

test('nesting is no danger to it', () => {
  expect(read(`${'<b>'.repeat(5_000)}${badge}`).badge).toBe(true);
});

test('nothing at all', () => expect(read('')).toEqual({ tag: false, badge: false, result: 'nothing_found' }));

describe('the icons that a page names', () => {
  const icons = (html: string) => readPage(html, sought).icons;
  const link = (href: string, rest = 'rel="icon"') => `<link href="${href}" ${rest}>`;
  const at = (path: string) => `https://me.example${path}`;

  test.each<[string, string, string[]]>([
    ['none', '<head></head>', []],
    ['one, resolved against the page', link('i.png'), [at('/about/i.png')]],
    [
      'one, resolved against the base of the document',
      `<base href="https://cdn.example/x/">${link('i.png')}`,
      ['https://cdn.example/x/i.png'],
    ],
    ['one as it was written in old days', link('/i.ico', 'rel="SHORTCUT ICON"'), [at('/i.ico')]],
    [
      'the smallest that is large enough first',
      [16, 512, 96, 32].map((n) => link(`/${n}`, `rel="icon" sizes="${n}x${n}"`)).join(''),
      [at('/96'), at('/512')],
    ],
    [
      'one file with several sizes',
      link('/a', 'rel=icon sizes="16x16 32x32"') + link('/b', 'rel=icon sizes="16X16 64X64"'),
      [at('/b'), at('/a')],
    ],
    [
      'Apple’s before one that does not say, or is small',
      link('/a') + link('/b', 'rel=icon sizes=32x32') + link('/c', 'rel=apple-touch-icon'),
      [at('/c'), at('/a')],
    ],
    [
      'Apple’s after one that is large enough',
      link('/c', 'rel=apple-touch-icon sizes=180x180') + link('/a', 'rel=icon sizes=192x192'),
      [at('/a'), at('/c')],
    ],
    ['no SVG', link('/i.svg') + link('/i', 'rel=icon type="image/svg+xml"') + link('/i.png'), [at('/i.png')]],
    [
      'no other link',
      link('/a', 'rel=stylesheet') + link('/b', 'rel=mask-icon') + link('/c', 'rel=preload as=image'),
      [],
    ],
    [
      'nothing that is not on the web',
      link('data:image/png;base64,AAAA') + link('javascript:alert(1)') + link('file:///etc/passwd') + link('http://['),
      [],
    ],
    ['nothing that a visitor may have written', `<body>${link('/a.png')}`, []],
    ['nothing in a comment or a template', `<!-- ${link('/a.png')} --><template>${link('/a.png')}</template>`, []],
    ['no address longer than those that are fetched', link(`/${'a'.repeat(3_000)}`), []],
  ])('%s', (_, head, expected) =>
    expect(icons(head.includes('<body>') ? `<head></head>${head}` : `<head>${head}</head>`)).toEqual(expected),
  );

  test('are the first hundred links at most', () =>
    expect(icons(`<head>${link('/a', 'rel=x').repeat(100)}${link('/b')}</head>`)).toEqual([]));
});
