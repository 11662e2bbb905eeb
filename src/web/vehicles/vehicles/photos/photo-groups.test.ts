import { expect, test } from 'vitest'
import type { PhotoVehicle } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { groupPictures, NOT_AN_IMAGE, NO_MATCH, type Picture, portionsOf } from './photo-groups.ts'

let made = 0
function picture(name: string, size = 1, type = 'image/jpeg'): Picture {
  made += 1
  return { id: made, file: new File([new Uint8Array(size)], name, { type }) }
}

function vehicle(id: string, stock: string): PhotoVehicle {
  return { id, name: 'Ford', stock, vin: null, lotName: 'Main', status: 'live', photoCount: 0 }
}

test('groups photos by vehicle in the order of their names and skips others with a reason', () => {
  const [one, two, three] = [picture('A1_10.jpg'), picture('A1_2.jpg'), picture('B.jpg')]
  const text = picture('A1.txt', 1, 'text/plain')
  const lost = picture('Party.jpg')
  const [a, b] = [vehicle('1', 'A1'), vehicle('2', 'B')]
  const matches = new Map([
    ['A1_10.jpg', [a]],
    ['A1_2.jpg', [a]],
    ['A1.txt', [a]],
    ['B.jpg', [a, b]],
  ])
  const { groups, left } = groupPictures([one, two, three, text, lost], matches)
  expect(groups.map(({ key, pictures }) => [key, pictures])).toEqual([
    ['1', [two, one]],
    ['1 2', [three]],
  ])
  expect(left).toEqual([
    { picture: text, reason: NOT_AN_IMAGE },
    { picture: lost, reason: NO_MATCH },
  ])
})

test('splits photos into portions of ten photos or 24 MB; a larger photo is a portion of its own', () => {
  const small = Array.from({ length: 12 }, (_, at) => picture(`S_${at}.jpg`))
  const large = [picture('L_1.jpg', 20 * 1_048_576), picture('L_2.jpg', 30 * 1_048_576)]
  expect(portionsOf([...small, ...large]).map(({ length }) => length)).toEqual([10, 3, 1])
})
