import { expect, test } from 'vitest'
import { mediaAddress, pathOfMediaAddress } from './template-pictures.ts'

test.for(['Hero.png', 'Summer sale/Hero wide.png', 'A & B/{{ link }} 50%.png', "Müller's/Ü (1).gif"])(
  'the path %s comes back from its address, which breaks out of no attribute and no variable',
  (path) => {
    const address = mediaAddress(path)
    expect(address).not.toMatch(/["<>&{}\s]/)
    expect(pathOfMediaAddress(address)).toBe(path)
  },
)

test.for(['', 'media:', 'https://example.com/a.png', 'media:a%'])(
  '%j names nothing in the media',
  (address) => {
    expect(pathOfMediaAddress(address)).toBeNull()
  },
)
