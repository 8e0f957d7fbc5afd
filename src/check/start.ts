// How a worker of the page is started.

/** By its script, or by where that is. It is no module: of a file's own blob Chromium starts none. */
export const startWorker = (script: string | Blob): Worker =>
  new Worker(typeof script === 'string' ? script : URL.createObjectURL(script));
