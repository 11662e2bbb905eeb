import { expect, test } from 'vitest'
import { loadStored } from './stored-view.ts'

test('what was kept is read again', () => {
  const kept = {
    looks: { all: { widths: { code: 120 }, density: 'medium' } },
    opens: { sort: 'name', filter: 'isPublic', view: '7' },
  }
  expect(loadStored(JSON.stringify(kept))).toEqual(kept)
})

test('nothing, and what makes no sense, is as nobody changed it', () => {
  const none = { looks: {}, opens: null }
  for (const text of [null, '', '{', '[]', '{"looks":7}']) expect(loadStored(text)).toEqual(none)
  const odd = { looks: { all: { widths: { code: 7, name: 'wide', city: 90 }, density: 'tiny' } } }
  expect(loadStored(JSON.stringify(odd)).looks['all']).toEqual({
    widths: { city: 90 },
    density: 'comfortable',
  })
})
