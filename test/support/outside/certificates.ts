// Real certificates, made for one run.
import selfsigned from 'selfsigned';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateOptions {
  readonly addresses?: readonly string[];
  readonly notAfterDate?: Date;
  /** Who signs it; itself if left out. */
  readonly authority?: Certificate;
}

const aDay = 86_400_000;

export async function aCertificate(
  names: readonly string[],
  { addresses = [], notAfterDate, authority }: CertificateOptions = {},
): Promise<Certificate> {
  const made = await selfsigned.generate([{ name: 'commonName', value: 'made for a test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - 2 * aDay),
    ...(notAfterDate ? { notAfterDate } : {}),
    ...(authority ? { ca: authority } : {}),
    extensions: [
      { name: 'basicConstraints', cA: !authority },
      {
        name: 'subjectAltName',
        altNames: [
          ...names.map((value) => ({ type: 2 as const, value })),
          ...addresses.map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  });
  return { key: made.private, cert: made.cert };
}

export async function anAuthority(): Promise<Certificate> {
  const made = await selfsigned.generate([{ name: 'commonName', value: 'an authority for tests' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - 2 * aDay),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  return { key: made.private, cert: made.cert };
}
