import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useElementSize, useWindowEvent } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { send } from '#web/api/query.ts'
import type { PageValues } from './page-form.ts'

const preview = send(promoPages.preview)

/** The widths in which the page is shown, in pixels. The desktop is made smaller to fit. */
const SCREENS = [
  { name: 'Desktop', width: 1_200 },
  { name: 'Tablet', width: 820 },
  { name: 'Phone', width: 390 },
] as const
const PAUSE_MS = 500

type Props = {
  id: string
  values: PageValues
  /** The open block, which the preview shows. */
  open: string | null
  /** A block was pressed in the preview. */
  onOpen: (id: string) => void
}

/** The page as visitors would see it, with what isn't saved yet. */
export function PagePreview({ id, values, open, onOpen }: Props) {
  const [screen, setScreen] = useState<(typeof SCREENS)[number]>(SCREENS[0])
  const [on, setOn] = useState('')
  const [shown, setShown] = useState('')
  const { title, blocks, layoutId } = values
  const [settled] = useDebouncedValue({ title, blocks, layoutId }, PAUSE_MS)
  const page = {
    id,
    ...settled,
    layoutId: settled.layoutId === '' ? null : settled.layoutId,
    on: on === '' ? null : on,
  }
  const { data, error, isFetching, refetch } = useQuery({
    // An answer belongs to what it was asked for: a late one never replaces a newer one.
    queryKey: ['promo page preview', page],
    queryFn: () => preview(page),
    placeholderData: keepPreviousData,
    // Vehicles and prices of now.
    gcTime: 0,
    retry: false,
  })
  // After a failure, the last picture stays.
  if (data !== undefined && data.html !== shown) setShown(data.html)
  return (
    <Stack component="section" aria-label="Preview" aria-busy={isFetching} gap={8} pos="sticky" top={16}>
      <Group gap={8} justify="space-between" align="end">
        <Group gap={8}>
          {SCREENS.map((one) => (
            <Button
              key={one.name}
              size="compact-sm"
              variant={one === screen ? 'light' : 'default'}
              aria-pressed={one === screen}
              onClick={() => setScreen(one)}
            >
              {one.name}
            </Button>
          ))}
        </Group>
        <TextInput
          label="As seen on"
          type="date"
          size="xs"
          styles={{ root: { display: 'flex', alignItems: 'center', gap: 8 } }}
          value={on}
          onChange={({ currentTarget }) => setOn(currentTarget.value)}
        />
      </Group>
      {on !== '' && (
        <Text size="xs" c="dimmed">
          What ends or counts down is as on this day. Vehicles and prices are those of now.
        </Text>
      )}
      {error && (
        <Group gap={8} role="alert">
          <Text size="sm" c="var(--fc-bad)">
            {shown !== '' && 'This is the page before your last changes. '}
            <bdi>{error.message}</bdi>
          </Text>
          <Button size="compact-sm" variant="default" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </Group>
      )}
      <Screen html={shown} width={screen.width} open={open} onOpen={onOpen} />
    </Stack>
  )
}

type ScreenProps = Pick<Props, 'open' | 'onOpen'> & { html: string; width: number }

/** The document in a frame that runs no scripts and sends no forms. */
function Screen({ html, width, open, onOpen }: ScreenProps) {
  const { ref, width: room } = useElementSize()
  const frame = useRef<HTMLIFrameElement>(null)
  const shown = useRef('')
  const scrolled = useRef(0)
  const scale = room === 0 ? 1 : Math.min(1, room / width)
  // The former document is still there.
  useLayoutEffect(() => {
    if (shown.current === html) return
    shown.current = html
    scrolled.current = frame.current?.contentWindow?.scrollY ?? 0
  })
  useEffect(() => {
    const page = frame.current?.contentDocument
    if (page) markOpen(page, open)?.scrollIntoView({ block: 'nearest' })
  }, [open])
  // No listener runs in a page without scripts, but a press in it takes the focus, and CSS knows what is pressed.
  useWindowEvent('blur', () => {
    const page = frame.current?.contentDocument
    if (!page || document.activeElement !== frame.current) return
    const id = pressedBlock(page)
    if (id !== null) onOpen(id)
  })
  return (
    <Box
      ref={ref}
      // A frame that is made smaller begins at its left edge.
      dir="ltr"
      h="max(360px, calc(100dvh - 290px))"
      style={{ overflow: 'hidden', border: '1px solid var(--fc-line)', borderRadius: 8 }}
    >
      <iframe
        ref={frame}
        title="Preview of the page"
        // The same origin, so that the editor finds the open block in it. Without scripts, the page can't use it.
        sandbox="allow-same-origin"
        srcDoc={html}
        style={{
          border: 0,
          width,
          height: `${100 / scale}%`,
          transform: `scale(${scale})`,
          transformOrigin: 'top left',
          display: 'block',
          marginInline: scale < 1 ? 0 : 'auto',
        }}
        onLoad={({ currentTarget: { contentDocument: page } }) => {
          if (page === null) return
          // Nothing leads away from the page.
          for (const link of page.querySelectorAll('a')) link.removeAttribute('href')
          markOpen(page, open)
          // What is being written stays where it is.
          page.defaultView?.scrollTo(0, scrolled.current)
        }}
      />
    </Box>
  )
}

/** Outlines the open block only. */
function markOpen(page: Document, open: string | null): Element | null {
  for (const one of page.querySelectorAll('[data-open]')) one.removeAttribute('data-open')
  const block = open === null ? null : partOf(page, open)
  block?.setAttribute('data-open', '')
  return block
}

/** The ID of the block that is being pressed; null outside of blocks. */
function pressedBlock(page: Document): string | null {
  for (const pressed of page.querySelectorAll('template[data-block] ~ :active')) {
    let mark: Element | null = pressed
    while (mark !== null && !mark.matches('template[data-block]')) mark = mark.previousElementSibling
    if (mark !== null) return mark.getAttribute('data-block')
  }
  return null
}

/** The first element of a block; null if it shows nothing. */
function partOf(page: Document, id: string): Element | null {
  const next = page.querySelector(`template[data-block="${CSS.escape(id)}"]`)?.nextElementSibling ?? null
  return next?.matches('template') === true ? null : next
}
