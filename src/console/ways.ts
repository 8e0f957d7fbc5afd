// The addresses that pages of the console lead to.

/** The pages for looking, which stand beside GraphiQL. */
export const lookingParts = [
  ['/', 'Tonight'],
  ['/money', 'Money'],
  ['/reports', 'Reports'],
  ['/jobs', 'Jobs'],
  ['/audit', 'Audit'],
] as const;

export const graphiqlPath = '/graphiql';
/** Opens the tab of a question or an action; `about` is whom or what it is about. */
export const questionPath = (name: string, about: Readonly<Record<string, string>> = {}) =>
  `${graphiqlPath}?${new URLSearchParams({ question: name, ...about })}`;
