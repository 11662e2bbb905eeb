import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { MEDIA_CONTAINER } from '#contract/files/files.ts'
import { actAs, type AsOwner } from '#server/database/tenant-transaction.ts'
import { noteContent, spaceOf } from '#server/files/index.ts'
import type { FileStorage, StoragePath, StoredFile } from '#server/outside/file-storage.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { DRAWN_BODIES, DRAWN_VIEWS, drawVehicle } from './draw-vehicle.ts'
import { drawLogo, paintPng } from './pictures.ts'

const PICTURE = { width: 960, height: 640 }
const DAY = [120, 170, 205] as const
const EVENING = [214, 138, 92] as const

type DemoFile = { path: readonly string[]; bytes: () => string | Buffer }

/** Photos of demo vehicles: each body style in each color. */
const STOCK: readonly DemoFile[] = DRAWN_BODIES.flatMap((body) =>
  (['White', 'Black', 'Gray', 'Silver', 'Blue', 'Red', 'Green', 'Bronze'] as const).flatMap((color) =>
    DRAWN_VIEWS.map((view) => ({
      path: ['Vehicles', 'Stock', `${body} ${color} ${view}.svg`],
      bytes: () => drawVehicle(body, color, view),
    })),
  ),
)

/** The media files of each demo customer. A path that ends in an empty name is an empty folder. */
const FILES: Readonly<Record<string, readonly DemoFile[]>> = {
  'Northgate Motor Group': [
    { path: ['Logos', 'Northgate.svg'], bytes: () => drawLogo('NORTHGATE', '#0b6e4f') },
    { path: ['Logos', 'Northgate dark.svg'], bytes: () => drawLogo('NORTHGATE', '#1d2623') },
    {
      path: ['Campaigns', 'Summer sale', 'Hero wide.png'],
      bytes: () => paintPng(PICTURE, DAY, [178, 38, 30]),
    },
    {
      path: ['Campaigns', 'Summer sale', 'Hero evening.png'],
      bytes: () => paintPng(PICTURE, EVENING, [11, 110, 79]),
    },
    {
      path: ['Campaigns', 'Summer sale', 'Terms.txt'],
      bytes: () => 'Offer ends August 31. See dealer for details.\n',
    },
    {
      path: ['Campaigns', 'Summer sale', 'Terms copy.txt'],
      bytes: () => 'Offer ends August 31. See dealer for details.\n',
    },
    { path: ['Campaigns', 'Truck month', ''], bytes: () => '' },
    { path: ['Vehicles', 'F 150 front.png'], bytes: () => paintPng(PICTURE, DAY, [29, 91, 176]) },
    { path: ['Vehicles', 'Explorer side.png'], bytes: () => paintPng(PICTURE, EVENING, [230, 232, 231]) },
    ...STOCK,
    { path: ['Showroom.png'], bytes: () => paintPng(PICTURE, EVENING, [60, 66, 64]) },
  ],
  'Harbor Auto Collective': [
    { path: ['Logos', 'Harbor.svg'], bytes: () => drawLogo('HARBOR', '#1d5bb0') },
    ...STOCK,
    { path: ['Lot at the bay.png'], bytes: () => paintPng(PICTURE, DAY, [138, 83, 0]) },
  ],
}

/** Adds files and folders to the media of the demo customers. Called once. */
export async function addDemoFiles(asOwner: AsOwner, storage: FileStorage): Promise<void> {
  const customers = await asOwner((db) => db.selectFrom('customers').select(['id', 'name']).execute())
  for (const { id, name } of customers) {
    const media = [...spaceOf(id), MEDIA_CONTAINER]
    // File storage that is older than this database keeps its files.
    if ((await storage.list(media)) !== null) continue
    const contents: { path: readonly string[]; file: StoredFile; content: string }[] = []
    for (const one of FILES[name] ?? []) contents.push(...(await addFile(storage, media, one)))
    await asOwner(async (db) => {
      await actAs(db, systemScope(id, 'media-scan'))
      for (const { path, ...one } of contents) await noteContent(db, path, one)
    })
  }
}

async function addFile(storage: FileStorage, media: StoragePath, { path, bytes: draw }: DemoFile) {
  for (let depth = 1; depth < path.length; depth += 1) {
    const folder = [...media, ...path.slice(0, depth)]
    if ((await storage.find(folder)) === null) await storage.makeFolder(folder)
  }
  if (path.at(-1) === '') return []
  const bytes = Buffer.from(draw())
  const staged = await storage.stage([...media, ...path], Readable.from([bytes]), () => {})
  const file = await staged.publish({ replaces: true })
  return [{ path, file, content: createHash('sha256').update(bytes).digest('hex') }]
}
