import { expect, test } from 'vitest'
import { attachPictures, showPictures } from './pictures.ts'

const PNG = { name: 'A b.png', type: 'image/png', bytes: Buffer.from('png') }
const FILES: Record<string, typeof PNG> = {
  'Logos/A b.png': PNG,
  'A.svg': { name: 'A.svg', type: 'image/svg+xml', bytes: Buffer.from('<svg/>') },
  'Large.gif': { name: 'Large.gif', type: 'image/gif', bytes: Buffer.alloc(480_000) },
  'Larger.gif': { name: 'Larger.gif', type: 'image/gif', bytes: Buffer.alloc(490_000) },
  'Largest.gif': { name: 'Largest.gif', type: 'image/gif', bytes: Buffer.alloc(500_000) },
}
const read = async (_customer: string, path: string) => FILES[path] ?? null
const image = (address: string, alt = 'A > b') =>
  `<td><img alt="${alt}" height="auto" src="${address}" width="1"></td>`

test('embeds a picture once and references it by content ID', async () => {
  const one = image('media:Logos/A%20b.png')
  const { html, pictures } = await attachPictures(one + one, '1', read)
  expect(pictures).toEqual([{ id: 'picture-1@forecourt.invalid', ...PNG }])
  expect(html).toBe(image('cid:picture-1@forecourt.invalid').repeat(2))
})

test('replaces a missing or unreadable picture with its alt text', async () => {
  const away = () => Promise.reject(new Error('The storage is unavailable.'))
  for (const from of [async () => null, away]) {
    const { html, pictures } = await attachPictures(image('media:Gone.png'), '1', from)
    expect([html, pictures]).toEqual(['<td>A > b</td>', []])
  }
})

test('leaves pictures from other sources unchanged', async () => {
  const html =
    image('https://example.com/a.png') + image('cid:x') + '<a href="https://a.example/media:x">x</a>'
  expect(await attachPictures(html, '1', read)).toEqual({ html, pictures: [] })
  expect(await showPictures(html, '1', read)).toEqual({ html, problems: [] })
})

test('inlines pictures in a preview', async () => {
  const { html, problems } = await showPictures(image('media:Logos/A%20b.png'), '1', read)
  expect([html, problems]).toEqual([image(`data:image/png;base64,${PNG.bytes.toString('base64')}`), []])
})

test.for([
  [image('media:A.svg'), "A.svg isn't a PNG, JPEG or GIF. Some email clients can't show it."],
  [image('media:Gone.png'), "Media has no picture Gone.png, or it's larger than 500 kB."],
  [image('media:../A.svg'), "Media has no picture ../A.svg, or it's larger than 500 kB."],
  [
    image('media:Large.gif') + image('media:Larger.gif') + image('media:Largest.gif'),
    'Pictures can total at most 1000 kB per email.',
  ],
  [
    '<div style="background: url(media:Logos/A%20b.png)">x</div>',
    'A media picture can only be used in the src of mj-image or img.',
  ],
] as const)('reports what is wrong with %j', async ([html, sentence]) => {
  expect((await showPictures(html, '1', read)).problems).toEqual([sentence])
})

test('reads no pictures without permission to read media', async () => {
  const { html, problems } = await showPictures(image('media:Logos/A%20b.png'), '1', null)
  expect(html).toBe('<td>A > b</td>')
  expect(problems).toHaveLength(1)
})

test('looks at a text of tags that are never closed only once', async () => {
  const html = `${image('media:Gone.png')}${'<img '.repeat(100_000)}"`
  expect(await attachPictures(html, '1', read)).toEqual({
    html: html.replace(/<img alt.*?width="1">/, 'A > b'),
    pictures: [],
  })
})
