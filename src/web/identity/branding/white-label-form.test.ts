import { expect, test } from 'vitest'
import { BLANK, checkWhiteLabel, toInput } from './white-label-form.ts'

const filled = { ...BLANK, domain: 'cars.example.com', title: 'Cars' }

test('a blank form names the required fields', () => {
  expect(checkWhiteLabel(BLANK)).toMatchObject({
    domain: 'Domain is required.',
    title: expect.stringContaining('required'),
  })
  expect(checkWhiteLabel(filled)).toEqual({})
})

test.for([
  ['domain', 'https://cars.example.com', 'Enter a domain such as cars.example.com, without https://'],
  ['domain', 'cars', 'Enter a domain such as cars.example.com, without https://'],
  ['domain', '10.0.0.1', 'Enter a domain such as cars.example.com, without https://'],
  ['brand', 'green', 'Enter a hex color like #0b6e4f.'],
  ['logo', '/etc/passwd', "This isn't a picture."],
  [
    'favicon',
    `data:image/png;base64,${'A'.repeat(80_000)}`,
    'This picture is too large. The limit is 50 kB.',
  ],
] as const)('rejects an invalid %s with a message', ([field, value, sentence]) => {
  expect(checkWhiteLabel({ ...filled, [field]: value })).toEqual({ [field]: sentence })
})

test('sends an internationalized domain in its ASCII form', () => {
  expect(toInput({ ...filled, domain: ' Autohaus-M\u00FCller.de. ' }).domain).toBe(
    'xn--autohaus-mller-psb.de',
  )
  expect(toInput({ ...filled, domain: 'Cars.Example.com' }).domain).toBe('Cars.Example.com')
})
