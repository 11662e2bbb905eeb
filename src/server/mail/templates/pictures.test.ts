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

test('a picture goes along once, and is named by its number wherever it stands', async () => {
  const one = image('media:Logos/A%20b.png')
  const { html, pictures } = await attachPictures(one + one, '1', read)
  expect(pictures).toEqual([{ id: 'picture-1@forecourt.invalid', ...PNG }])
  expect(html).toBe(image('cid:picture-1@forecourt.invalid').repeat(2))
})

test('what is gone, or cannot be read now, leaves its words; the mail goes out', async () => {
  const away = () => Promise.reject(new Error('The store is away.'))
  for (const from of [async () => null, away]) {
    const { html, pictures } = await attachPictures(image('media:Gone.png'), '1', from)
    expect([html, pictures]).toEqual(['<td>A > b</td>', []])
  }
})

test('pictures of other places stay as they are', async () => {
  const html =
    image('https://example.com/a.png') + image('cid:x') + '<a href="https://a.example/media:x">x</a>'
  expect(await attachPictures(html, '1', read)).toEqual({ html, pictures: [] })
  expect(await showPictures(html, '1', read)).toEqual({ html, problems: [] })
})

test('a preview has its pictures inside', async () => {
  const { html, problems } = await showPictures(image('media:Logos/A%20b.png'), '1', read)
  expect([html, problems]).toEqual([image(`data:image/png;base64,${PNG.bytes.toString('base64')}`), []])
})

test.for([
  [image('media:A.svg'), 'A.svg is no PNG, JPEG or GIF: not every reader of mails shows it.'],
  [image('media:Gone.png'), 'There is no picture Gone.png of at most 500 kB in the media.'],
  [image('media:../A.svg'), 'There is no picture ../A.svg of at most 500 kB in the media.'],
  [
    image('media:Large.gif') + image('media:Larger.gif') + image('media:Largest.gif'),
    'All pictures of a mail may have 1000 kB together.',
  ],
  [
    '<div style="background: url(media:Logos/A%20b.png)">x</div>',
    'A picture of the media may stand in the src of mj-image or img: nowhere else.',
  ],
] as const)('%j says what is wrong', async ([html, sentence]) => {
  expect((await showPictures(html, '1', read)).problems).toEqual([sentence])
})

test('for whoever may not read the media nothing is looked at', async () => {
  const { html, problems } = await showPictures(image('media:Logos/A%20b.png'), '1', null)
  expect(html).toBe('<td>A > b</td>')
  expect(problems).toHaveLength(1)
})
