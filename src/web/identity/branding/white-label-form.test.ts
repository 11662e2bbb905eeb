import { expect, test } from 'vitest'
import { BLANK, checkWhiteLabel, toInput } from './white-label-form.ts'

const filled = { ...BLANK, domain: 'cars.example.com', title: 'Cars' }

test('a blank form says what is missing', () => {
  expect(checkWhiteLabel(BLANK)).toMatchObject({
    domain: 'Domain is required.',
    title: expect.stringContaining('required'),
  })
  expect(checkWhiteLabel(filled)).toEqual({})
})

test.for([
  [
    'domain',
    'https://cars.example.com',
    'This is not a domain. It looks like cars.example.com, without https://',
  ],
  ['domain', 'cars', 'This is not a domain. It looks like cars.example.com, without https://'],
  ['domain', '10.0.0.1', 'This is not a domain. It looks like cars.example.com, without https://'],
  ['brand', 'green', 'A colour looks like #0b6e4f.'],
  ['logo', '/etc/passwd', 'This is not a picture.'],
  ['favicon', `data:image/png;base64,${'A'.repeat(80_000)}`, 'This picture is too large: at most 50 kB.'],
] as const)('%s that is wrong is refused with its sentence', ([field, value, sentence]) => {
  expect(checkWhiteLabel({ ...filled, [field]: value })).toEqual({ [field]: sentence })
})

test('a name of another script goes out in its ASCII form', () => {
  expect(toInput({ ...filled, domain: ' Autohaus-M\u00FCller.de. ' }).domain).toBe(
    'xn--autohaus-mller-psb.de',
  )
  expect(toInput({ ...filled, domain: 'Cars.Example.com' }).domain).toBe('Cars.Example.com')
})
