// A client by its id: registered here, or described by the metadata document at that address. Protocol 4.1, 4.2.
import { call } from '../db/call.ts';
import { countedAddress } from '../http/counted-address.ts';
import type { Client } from '../humans/consent/authorization.ts';
import { type DocumentOutcome, isDocumentId } from './client-metadata.ts';
import { OAuthError } from './errors.ts';
import { scopes } from './resources.ts';
import type { AuthorizationServer } from './server.ts';

/**
 * `ip`: the address that the fetch of a document is counted for. Throws an OAuthError whose message is for the human.
 */
export async function findClient(server: AuthorizationServer, client_id: string, ip: string): Promise<Client> {
  if (!isDocumentId(client_id)) {
    const registered =
      /^[\x21-\x7e]+$/.test(client_id) &&
      (await call<Client | null>(server.db, 'api_oauth.find_client', { client_id }));
    if (registered) return registered;
    throw unknown('The program that sent you here is not registered with this hill.');
  }
  // fetching its document stands for a registration, and is counted as one
  const found: DocumentOutcome = await server.documents(client_id, () =>
    server.admitFor(countedAddress(ip), 'registrations'),
  );
  if ('problem' in found)
    throw unknown(
      `The program that sent you here describes itself at an address that this hill cannot use (${found.problem}).`,
    );
  const { id, name, redirectUris, freshSeconds } = found.client;
  return { client_id: id, name, redirect_uris: [...redirectUris], scopes, freshSeconds };
}

/**
 * Stores what a document says, so that the codes and tokens of its client have one. A registered client is stored
 * already.
 */
export async function keepClient(server: AuthorizationServer, client: Client): Promise<void> {
  if (client.freshSeconds === undefined) return;
  await call(server.db, 'api_oauth.keep_document_client', {
    client_id: client.client_id,
    client_name: client.name,
    redirect_uris: client.redirect_uris,
    fresh_seconds: client.freshSeconds,
  });
}

const unknown = (description: string) => new OAuthError(401, 'invalid_client', description);
