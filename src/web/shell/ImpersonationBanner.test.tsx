import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ImpersonationStrip } from './ImpersonationBanner.tsx'

const NAMES = { userName: 'dana', impersonateUserName: 'luis' }
const wordsOf = (html: string) => html.replaceAll(/<[^>]+>/g, '')

test('the strip says who acts as whom, in the words of the specification', () => {
  const html = renderToStaticMarkup(<ImpersonationStrip {...NAMES} />)
  expect(wordsOf(html)).toBe('dana, You are Impersonating luis')
  expect(html).not.toContain('<button')
})

test('the whole strip switches back where that can be done, and the time left stands apart', () => {
  const html = renderToStaticMarkup(<ImpersonationStrip {...NAMES} minutesLeft={52} onRevert={() => {}} />)
  expect(html).toMatch(/^<button type="button" class="fc-impersonation"/)
  expect(html).toContain('<span class="fc-number">52 min left</span>')
})

test('who only looks is told so apart from the words of the specification', () => {
  const html = renderToStaticMarkup(<ImpersonationStrip {...NAMES} isLookOnly onRevert={() => {}} />)
  expect(html).toContain('<span>Looking only</span>')
  expect(html).toContain('<bdi>dana</bdi>, You are Impersonating <bdi>luis</bdi></span>')
})
