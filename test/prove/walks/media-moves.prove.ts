import { afterAll, beforeAll, expect, test } from 'vitest'
import { files } from '#contract/files/files.ts'
import { mediaMoves } from '#contract/files/media-moves.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { downloadFile, ownFolder, sendFiles } from '#test/factories/files/file-calls.ts'
import { phonePhoto } from '#test/factories/phone-photo.ts'
import { testOrganization } from '#test/factories/test-organization.ts'

const container = 'media'
const FILES = 24
const FOLDERS = 6
const ROUNDS = 30
const AT_ONCE = 4

let forecourt: TestApp
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** Numbers below `most`, the same in each run. */
function numbers(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * most)
  }
}

/** All files and folders below a folder, by path. */
async function below(folder: string): Promise<{ files: string[]; folders: string[] }> {
  const { leafs, nodes } = await admin.call(files.getChildren, { container, folder })
  const inner = await Promise.all(nodes.map(({ path }) => below(path)))
  return {
    files: [...leafs.map(({ path }) => path), ...inner.flatMap((one) => one.files)],
    folders: [...nodes.map(({ path }) => path), ...inner.flatMap((one) => one.folders)],
  }
}

test('moves, undos, renames and deletions at once lose no file, and vehicles show theirs', async () => {
  const top = await ownFolder(admin)
  for (let at = 0; at < FOLDERS; at += 1)
    await admin.call(files.createDirectory, { container, folder: top, dirName: `Folder ${at}` })
  const bytes = await phonePhoto()
  const sent = Array.from({ length: FILES }, (_, at) => ({ name: `${at % 8}.jpg`, bytes, at }))
  for (const { at, ...file } of sent)
    await sendFiles(forecourt, admin, { path: `${top}/Folder ${at % FOLDERS}`, overwrite: 'true' }, [file])
  const { files: start } = await below(top)
  const ford = await testOrganization(forecourt, 'Northgate Ford')
  const { id } = await admin.call(vehicles.add, {
    lotId: await ford.addLot(),
    photos: start.map((place) => ({ kind: 'file' as const, place })),
  })

  const next = numbers(7)
  for (let round = 0; round < ROUNDS; round += 1) {
    const { files: there, folders } = await below(top)
    const one = <T>(of: readonly T[]): T | undefined => of[next(of.length)]
    const work = Array.from({ length: AT_ONCE }, async () => {
      const path = one(next(2) === 0 ? there : folders) ?? ''
      const kind = next(6)
      if (kind === 0) return admin.call(files.delete, { container, toDelete: [path] })
      if (kind === 1) return admin.call(files.rename, { container, path, newName: `${next(9)} x` })
      const { undo } = await admin.call(mediaMoves.move, {
        paths: [path, one(there) ?? path],
        to: one([top, ...folders]) ?? top,
        taken: next(2) === 0 ? 'number' : 'skip',
      })
      return kind === 2 && undo !== null ? admin.call(mediaMoves.undo, { undo }) : null
    })
    // Refusals are answers, too: a folder into itself, a used file, what is gone.
    await Promise.allSettled(work)
    const { photos } = await admin.call(vehicles.get, { id })
    const now = (await below(top)).files
    expect(photos.map(({ place }) => place).toSorted()).toEqual(now.toSorted())
    expect(now).toHaveLength(start.length)
  }
  const { photos } = await admin.call(vehicles.get, { id })
  for (const { place } of photos) expect((await downloadFile(admin, place)).status).toBe(200)
}, 300_000)
