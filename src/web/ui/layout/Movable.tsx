import { type ReactNode, useCallback, useState } from 'react'
import { createPortal } from 'react-dom'

type Props = {
  /** Shows the content where the layout wants it now: in a pane, in a drawer, or nowhere. */
  renderFrame: (content: ReactNode) => ReactNode
  children: ReactNode
}

/**
 * Content that keeps its state while the layout moves it, such as a form that is in a pane on a wide screen and in a drawer on
 * a narrow one. React would start it again in the other place, and what was typed would be lost. Render the component itself
 * always in the same place.
 */
export function Movable({ renderFrame, children }: Props) {
  const [box] = useState(makeBox)
  return (
    <>
      {renderFrame(<Place box={box} />)}
      {createPortal(children, box)}
    </>
  )
}

function Place({ box }: { box: HTMLElement }) {
  const host = useCallback((element: HTMLElement | null) => element?.append(box), [box])
  return <div ref={host} style={UNBOXED} />
}

/** Its content is laid out as a child of what surrounds it. */
const UNBOXED = { display: 'contents' }

function makeBox(): HTMLElement {
  const box = document.createElement('div')
  Object.assign(box.style, UNBOXED)
  return box
}
