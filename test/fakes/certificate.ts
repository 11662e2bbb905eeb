import { generateKeyPairSync, sign } from 'node:crypto'

/** A self-signed certificate for this machine and its key, in PEM format. */
export function makeCertificate(): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid(85, 4, 3), tagged(0x0c, Buffer.from('localhost')))))
  const time = (year: string) => tagged(0x17, Buffer.from(`${year}0101000000Z`))
  // ecdsa-with-SHA256
  const algorithm = sequence(oid(42, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2))
  const extensions = sequence(
    sequence(oid(85, 29, 19), tagged(1, Buffer.from([255])), octets(sequence(tagged(1, Buffer.from([255]))))),
    sequence(
      oid(85, 29, 17),
      octets(sequence(tagged(0x82, Buffer.from('localhost')), tagged(0x87, Buffer.from([127, 0, 0, 1])))),
    ),
  )
  const body = sequence(
    tagged(0xa0, tagged(2, Buffer.from([2]))),
    tagged(2, Buffer.from([7])),
    algorithm,
    name,
    sequence(time('24'), time('49')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  )
  const signature = tagged(3, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]))
  const der = sequence(body, algorithm, signature).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** DER (X.690): a tag, the length, the content. */
function tagged(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content])
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 255]), content])
}
const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, ...parts)
const set = (...parts: Buffer[]): Buffer => tagged(0x31, ...parts)
const octets = (content: Buffer): Buffer => tagged(4, content)
const oid = (...bytes: number[]): Buffer => tagged(6, Buffer.from(bytes))
