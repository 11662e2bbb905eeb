import { useState } from 'react'
import { Toggle } from '#web/ui/controls/Toggle.tsx'
import { Canvas } from './Canvas.tsx'
import { Outline } from './Outline.tsx'
import { ProblemList } from './ProblemList.tsx'
import { Properties } from './Properties.tsx'
import type { Builder, Problem } from './use-builder.ts'
import './builder.css'

const PARTS = { outline: 'Outline', canvas: 'Preview', properties: 'Properties' } as const
type Part = keyof typeof PARTS

/** Outline, preview and properties: side by side, or one at a time on a narrow screen. */
export function BuilderPanes({
  builder,
  onProblem,
}: {
  builder: Builder
  onProblem: (problem: Problem) => void
}) {
  const [part, setPart] = useState<Part>('outline')
  const open = () => setPart('properties')
  return (
    <>
      <div className="fc-builder-parts">
        <Toggle label="Part of the builder" choices={PARTS} value={part} onChange={setPart} />
      </div>
      <div className="fc-builder" data-part={part}>
        <Outline builder={builder} onOpen={open} />
        <div className="fc-canvas">
          <ProblemList
            builder={builder}
            onProblem={(problem) => {
              setPart('properties')
              onProblem(problem)
            }}
          />
          <Canvas builder={builder} onOpen={open} />
        </div>
        <Properties builder={builder} onProblem={onProblem} />
      </div>
      <output className="fc-hidden">{builder.announcement}</output>
    </>
  )
}
