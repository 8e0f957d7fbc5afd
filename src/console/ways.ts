// The addresses that pages of the console lead to.

/** The pages for looking, which stand beside GraphiQL. */
export const lookingParts = [
  ['/', 'Tonight'],
  ['/money', 'Money'],
  ['/reports', 'Reports'],
  ['/jobs', 'Jobs'],
  ['/audit', 'Audit'],
  ['/do', 'Actions'],
] as const;

export const graphiqlPath = '/graphiql';
/** Opens the tab of a question; `about` is whom or what it is about. */
export const questionPath = (name: string, about: Readonly<Record<string, string>> = {}) =>
  `${graphiqlPath}?${new URLSearchParams({ question: name, ...about })}`;

/** What an order became. */
export const orderPath = (id: string) => `/orders/${id}`;

export const formPath = '/do' satisfies (typeof lookingParts)[number][0];
/** Opens the form of an action; `to` is whom or what it is done to, and never how, or why. */
export function actionPath(name: string, to: object = {}): string {
  const about = new URLSearchParams(Object.entries(to).map(([key, value]) => [key, String(value)]));
  return `${formPath}/${name}${about.size > 0 ? `?${about}` : ''}`;
}
