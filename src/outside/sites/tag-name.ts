// The name of the meta tag by which a page names its account.
export const tagName = 'hill-verification';
