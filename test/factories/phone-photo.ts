import sharp from 'sharp'

/** What a phone writes into its photos, and nobody else may read. */
export const PHONE = 'Marker Phone 15'

/** A photo as a phone takes it: lying on its side, with a position, the phone and a comment. */
export async function phonePhoto({ width = 1200, height = 900, noise = 0 } = {}): Promise<Buffer> {
  const create = { width, height, channels: 3 as const, background: '#3a6ea5' }
  const picture = sharp({
    create: noise === 0 ? create : { ...create, noise: { type: 'gaussian', mean: 128, sigma: noise } },
  })
  return picture
    .withExif({
      IFD0: { Make: 'Marker', Model: PHONE, Orientation: '6', ImageDescription: `${PHONE} was here` },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '38/1 35/1 1/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '121/1 29/1 1/1',
      },
    })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 90 })
    .toBuffer()
}
