// outside/sites/tag-name.ts · the name of the tag by which a page says whose it is.
export const tagName = 'hill-verification';
