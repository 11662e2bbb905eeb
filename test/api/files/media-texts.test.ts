import { afterAll, beforeAll, expect, test } from 'vitest'
import { files } from '#contract/files/files.ts'
import { mediaMoves } from '#contract/files/media-moves.ts'
import { mediaTexts } from '#contract/files/media-texts.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFolder, sendFiles } from '#test/factories/files/file-calls.ts'
import { phonePhoto } from '#test/factories/phone-photo.ts'

const container = 'media'

let forecourt: TestApp
let admin: Caller
let folder: string
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  folder = await ownFolder(admin)
  await sendFiles(forecourt, admin, { path: folder }, [
    { name: 'a.jpg', bytes: await phonePhoto() },
    { name: 'b.txt', bytes: 'Words' },
  ])
})
afterAll(() => forecourt.close())

const textsIn = async (path: string) =>
  (await admin.call(files.getChildren, { container, folder: path })).leafs.map(({ alt }) => alt)

test('the alternative text of a picture is listed, follows it, and is only replaced by who saw it', async () => {
  const path = `${folder}/a.jpg`
  await admin.call(mediaTexts.update, { path, alt: ' A red truck ' })
  expect(await textsIn(folder)).toEqual(['A red truck', undefined])
  const { status, refusal } = await refusalOf(admin.call(mediaTexts.update, { path, alt: 'A truck' }))
  expect([status, refusal.current]).toEqual([409, { alt: 'A red truck' }])
  await admin.call(mediaTexts.update, { path, alt: 'A truck', before: 'A red truck' })

  const to = await ownFolder(admin)
  await admin.call(mediaMoves.move, { paths: [path], to })
  expect(await textsIn(to)).toEqual(['A truck'])
  await admin.call(files.rename, { container, path: `${to}/a.jpg`, newName: 'c.jpg' })
  expect(await textsIn(to)).toEqual(['A truck'])
  await admin.call(mediaTexts.update, { path: `${to}/c.jpg`, alt: '', before: 'A truck' })
  expect(await textsIn(to)).toEqual([undefined])
})

test('only pictures of the own customer have one, of at most 200 characters', async () => {
  const path = `${folder}/b.txt`
  await expect(admin.call(mediaTexts.update, { path, alt: 'Words' })).toRefuse(400, 'Only pictures')
  await expect(admin.call(mediaTexts.update, { path, alt: 'x'.repeat(201) })).toRefuse(400)
  const harbor = await forecourt.as('harbor.admin')
  await expect(harbor.call(mediaTexts.update, { path, alt: 'Words' })).toRefuse(404)
})
