import { expect, test } from 'vitest'
import { mediaTypeOf } from './media-type.ts'

/** The start of a ZIP archive with this first entry. */
const zip = (entry: string) => Buffer.from(`PK\u0003\u0004${'\0'.repeat(26)}${entry}`, 'latin1')

test('the content decides, and the name only tells kinds of the same content apart', () => {
  expect(mediaTypeOf('photo.png', Buffer.from('\u00FF\u00D8\u00FF\u00E0', 'latin1'))).toBe('image/jpeg')
  expect(mediaTypeOf('photo.jpg', Buffer.from('MZ\u0090\0', 'latin1'))).toBe(
    'application/vnd.microsoft.portable-executable',
  )
  expect(mediaTypeOf('page.txt', Buffer.from('<!doctype html><script>'))).toBe('text/html')
  expect(mediaTypeOf('list.CSV', Buffer.from('a,b\n1,2'))).toBe('text/csv')
  expect(mediaTypeOf('notes', Buffer.from('a,b'))).toBe('text/plain')
})

test('an archive is an Office file only if its first entry belongs to one', () => {
  expect(mediaTypeOf('costs.xlsx', zip('[Content_Types].xml'))).toContain('spreadsheetml')
  expect(mediaTypeOf('letter.docx', zip('word/document.xml'))).toContain('wordprocessingml')
  expect(mediaTypeOf('letter.odt', zip('mimetypeapplication/vnd'))).toContain('opendocument.text')
  expect(mediaTypeOf('letter.docx', zip('virus.exe'))).toBe('application/zip')
  expect(mediaTypeOf('archive.zip', zip('[Content_Types].xml'))).toBe('application/zip')
})
