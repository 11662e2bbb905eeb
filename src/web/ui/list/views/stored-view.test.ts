import { expect, test } from 'vitest'
import { loadStored } from './stored-view.ts'

test('stored settings are read back', () => {
  const kept = {
    looks: { all: { widths: { code: 120 }, density: 'medium' } },
    opens: { sort: 'name', filter: 'isPublic', view: '7' },
  }
  expect(loadStored(JSON.stringify(kept))).toEqual(kept)
})

test('missing and invalid settings give the defaults', () => {
  const none = { looks: {}, opens: null }
  for (const text of [null, '', '{', '[]', '{"looks":7}']) expect(loadStored(text)).toEqual(none)
  const odd = { looks: { all: { widths: { code: 7, name: 'wide', city: 90 }, density: 'tiny' } } }
  expect(loadStored(JSON.stringify(odd)).looks['all']).toEqual({
    widths: { city: 90 },
    density: 'comfortable',
  })
})
