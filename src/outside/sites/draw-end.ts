// How the process that draws a picture ends, if it draws none.
export const drawEnd = { notInstalled: 3, tooLarge: 4, damaged: 5 } as const;
