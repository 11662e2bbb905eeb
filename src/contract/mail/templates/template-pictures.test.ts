import { expect, test } from 'vitest'
import { mediaAddress, pathOfMediaAddress } from './template-pictures.ts'

test.for(['Hero.png', 'Summer sale/Hero wide.png', 'A & B/{{ link }} 50%.png', "Müller's/Ü (1).gif"])(
  'round-trips the path %s through an address that is safe in attributes and variables',
  (path) => {
    const address = mediaAddress(path)
    expect(address).not.toMatch(/["<>&{}\s]/)
    expect(pathOfMediaAddress(address)).toBe(path)
  },
)

test.for(['', 'media:', 'https://example.com/a.png', 'media:a%'])('%j is not a media address', (address) => {
  expect(pathOfMediaAddress(address)).toBeNull()
})
