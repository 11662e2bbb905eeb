import { readFile } from 'node:fs/promises'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { CAMPAIGN_PARAMETERS } from '#contract/marketing/forms/form-body.ts'

/** The address of the frame that the script makes on a page of another site. */
async function frameOn(address: string, dataset: Record<string, string> = {}): Promise<URL> {
  let source = ''
  const frame = {
    style: {},
    set src(text: string) {
      source = text
    },
  }
  const script = { src: 'https://cars.example/embed.js', dataset: { form: 'ask', ...dataset }, after() {} }
  runInNewContext(await readFile(new URL('embed.js', import.meta.url), 'utf8'), {
    URL,
    URLSearchParams,
    location: new URL(address),
    addEventListener() {},
    document: { currentScript: script, documentElement: { lang: '' }, createElement: () => frame },
  })
  return new URL(source)
}

test('passes on the parameters of campaigns and nothing else of the address around the form', async () => {
  const campaign = CAMPAIGN_PARAMETERS.map((name) => `${name}=from-${name}`).join('&')
  const frame = await frameOn(
    `https://dealer.example/contact/us?token=secret&${campaign}&lang=es&vehicle=12&test=1&city=Bend#access_token=secret`,
  )
  expect(frame.origin + frame.pathname).toBe('https://cars.example/embed/ask')
  expect(frame.href).not.toContain('secret')
  expect([...frame.searchParams.keys()]).toEqual([...CAMPAIGN_PARAMETERS, 'lang', 'vehicle', 'fc-page'])
  expect(frame.searchParams.get('fc-page')).toBe(`https://dealer.example/contact/us?${campaign}`)
})

test('passes on what the other site names, so that questions can be filled in', async () => {
  const frame = await frameOn('https://dealer.example/?city=Bend&token=secret', { parameters: 'city model' })
  expect(Object.fromEntries(frame.searchParams)).toEqual({
    city: 'Bend',
    'fc-page': 'https://dealer.example/',
  })
})
