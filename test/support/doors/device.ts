// The device grant as a client and its human go through it, without a browser.
import { type Answer, type OAuth, succeeded, type Tokens } from './oauth.ts';
import { type Visit, Visitor } from './visitor.ts';

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

export interface DeviceCodes {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

export function useDevice(door: OAuth) {
  const device = {
    /** A client that has no redirect address. */
    register: async (client_name = 'A program', more: object = {}) =>
      (
        await door.json<{ client_id: string }>('/oauth/register', {
          client_name,
          grant_types: [deviceGrant, 'refresh_token'],
          ...more,
        })
      ).body,
    ask: (client_id: string, more: Record<string, string> = {}) =>
      door.form<DeviceCodes>('/oauth/device_authorization', { client_id, ...more }),
    poll: (
      client_id: string,
      device_code: string,
      more: Record<string, string> = {},
      by: OAuth = door,
    ): Promise<Answer<Tokens>> =>
      by.form<Tokens>('/oauth/token', { grant_type: deviceGrant, device_code, client_id, ...more }),
    /** A browser in which a human is signed in. */
    human: async (email: string): Promise<Visitor> => new Visitor(await door.human(email)),
    /** The page after a code was typed. */
    type: async (visitor: Visitor, user_code: string): Promise<Visit> => {
      const page = await visitor.go(`${door.baseUrl}/device`);
      return visitor.landed(page, await visitor.send(page, '/device', { user_code }));
    },
    /** The page after the human has decided. */
    decide: async (
      visitor: Visitor,
      shown: Visit,
      decision: string,
      more: Record<string, string> = {},
    ): Promise<Visit> => visitor.landed(shown, await visitor.send(shown, '/device', { decision, ...more })),
    /** A client with its codes, and the human who has approved them. */
    approved: async (email: string, asked: Record<string, string> = {}) => {
      const [{ client_id }, visitor] = [await device.register(), await device.human(email)];
      const codes = succeeded(await device.ask(client_id, asked));
      const { text } = await device.decide(visitor, await device.type(visitor, codes.user_code), 'approve');
      if (!text.includes('The program is connected')) throw new Error(text);
      return { client_id, visitor, ...codes };
    },
  };
  return device;
}
