// Hosts that lead to the machine itself, where the staff console is.

/**
 * Whether a host, with or without a port, is this machine by one of its own names: the only ones that the console
 * answers to.
 */
export const isLoopback = (host: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host);
