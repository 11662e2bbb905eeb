import { expect, test } from 'vitest'
import { SendFailure } from './answer-sync.ts'
import { type FileParts, FileSync, type KeptFile } from './file-sync.ts'

const file = (name: string, isAnswer = false) => ({
  question: 'records',
  name,
  type: 'image/jpeg',
  file: new Blob([name]),
  isAnswer,
})

/** A device with its disk and a network, and the server, which stores a file once under its ID. */
function device() {
  const disk = new Map<string, KeptFile>()
  const server = new Map<string, string>()
  const answer = new Set<string>()
  const network = { isOn: true, isDeaf: false, refuses: (_name: string) => false, sent: 0 }
  let ids = 0
  const parts: FileParts<string> = {
    store: {
      put: async (one) => void disk.set(one.id, one),
      remove: async (id) => void disk.delete(id),
    },
    async send({ id, name }, { onPercent }) {
      network.sent += 1
      if (!network.isOn) throw new SendFailure('away', 'No connection.')
      if (network.refuses(name)) throw new SendFailure('blocked', `${name} is not a picture.`)
      server.set(id, name)
      onPercent(50)
      if (network.isDeaf) throw new SendFailure('away', 'The response was lost.')
      return name
    },
    onStored: async ({ isAnswer }, stored) => {
      if (isAnswer) answer.add(stored)
    },
    newId: () => `file-${(ids += 1)}`,
    random: () => 0,
    after: () => () => undefined,
  }
  return { disk, server, answer, network, parts, open: () => new FileSync(parts, [...disk.values()]) }
}

test('files added without a connection stay on the device, and are sent once when it is back', async () => {
  const { disk, server, answer, network, open } = device()
  network.isOn = false
  const first = open()
  await first.add([file('lift.jpg'), file('meter.jpg', true)])
  expect(first.countWaiting()).toBe(2)
  expect(disk.size).toBe(2)
  // The browser is killed: nothing of the first page is left but the disk.
  const second = open()
  network.isOn = true
  network.isDeaf = true
  await second.flush()
  expect(disk.size).toBe(2)
  network.isDeaf = false
  await second.retry()
  expect([...server.values()]).toEqual(['lift.jpg', 'meter.jpg'])
  expect([...answer]).toEqual(['meter.jpg'])
  expect(disk.size).toBe(0)
  expect(second.state()).toMatchObject({ files: [], sending: null, isKept: true })
})

test('a file that the server refuses stays with its reason, and the next one is sent', async () => {
  const { disk, server, network, open } = device()
  network.refuses = (name) => name === 'song.mp3'
  const files = open()
  await files.add([file('song.mp3'), file('lift.jpg')])
  expect([...server.values()]).toEqual(['lift.jpg'])
  expect(files.state().files).toMatchObject([{ state: 'refused', message: 'song.mp3 is not a picture.' }])
  expect([...disk.values()]).toMatchObject([{ state: 'refused' }])
  // It isn't sent again by itself.
  const before = network.sent
  await files.retry()
  expect(network.sent).toBe(before)
  network.refuses = () => false
  await files.retryFile('file-1')
  expect([...server.values()]).toEqual(['lift.jpg', 'song.mp3'])
  expect(disk.size).toBe(0)
})

test('a removed file is not sent, and is not put into the answer if it was on its way', async () => {
  const { server, answer, network, open, parts } = device()
  network.isOn = false
  const files = open()
  await files.add([file('lift.jpg', true), file('meter.jpg', true)])
  await files.remove('file-1')
  network.isOn = true
  const send = parts.send
  parts.send = async (one, options) => {
    const stored = await send(one, options)
    await files.remove(one.id)
    return stored
  }
  await files.flush()
  expect([...server.values()]).toEqual(['meter.jpg'])
  expect(answer.size).toBe(0)
})

test('a page that is closed sends nothing more, and a full disk keeps the page open', async () => {
  const { disk, network, parts, open } = device()
  network.isOn = false
  const files = open()
  await files.add([file('lift.jpg')])
  files.stop()
  network.isOn = true
  const before = network.sent
  await files.flush()
  expect(network.sent).toBe(before)
  expect(disk.size).toBe(1)
  parts.store = { put: async () => Promise.reject(new Error('The disk is full.')), remove: async () => {} }
  const other = new FileSync(parts, [])
  network.isOn = false
  await other.add([file('meter.jpg')])
  expect(other.state()).toMatchObject({ isKept: false, files: [{ name: 'meter.jpg' }] })
  network.isOn = true
  await other.flush()
  expect(other.state()).toMatchObject({ isKept: true, files: [] })
})
