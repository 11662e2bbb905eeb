import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { IconGripVertical } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { type ListColumn, ownColumns } from '../list-state.ts'
import type { ListControl } from '../use-list-state.ts'

/**
 * Shows, hides and reorders columns, by mouse or with Space and the arrow keys. A hidden column keeps its place
 * while this is open.
 */
export function ColumnChooser({ control }: { control: ListControl }) {
  const { columns, state, show } = control
  const [fixed, movable] = split(columns)
  const [order, setOrder] = useState(() => orderOf(movable, state.columns))
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const titles = new Map(columns.map(({ id, field }) => [id, field.title]))
  const nameOf = (id: string | number | undefined) => titles.get(String(id)) ?? ''
  const isDefault = state.columns.join() === ownColumns(columns).join()

  function apply(next: readonly string[], shown: ReadonlySet<string>) {
    const kept = next.filter((id) => shown.has(id))
    show({ columns: [...fixed.map(({ id }) => id), ...kept].join(','), page: state.page })
  }
  function toggle(id: string) {
    const shown = new Set(state.columns)
    if (!shown.delete(id)) shown.add(id)
    apply(order, shown)
  }
  function drop({ active, over }: DragEndEvent) {
    if (!over || active.id === over.id) return
    const next = arrayMove(order, order.indexOf(String(active.id)), order.indexOf(String(over.id)))
    setOrder(next)
    apply(next, new Set(state.columns))
  }
  function reset() {
    setOrder(movable.map(({ id }) => id))
    show({ columns: undefined, page: state.page })
    control.setLook({ widths: {} })
  }

  return (
    <div className="fc-columns">
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={drop}
        accessibility={announceDrag(nameOf, order)}
      >
        <ul>
          {fixed.map(({ id, field }) => (
            <li key={id} className="fc-column">
              <label>
                <input type="checkbox" checked disabled />
                <span className="fc-grow">{field.title}</span>
              </label>
              <span className="fc-small fc-faint">Always first</span>
            </li>
          ))}
          <SortableContext items={order} strategy={verticalListSortingStrategy}>
            {order.map((id) => (
              <Column
                key={id}
                id={id}
                title={nameOf(id)}
                isShown={state.columns.includes(id)}
                onToggle={() => toggle(id)}
              />
            ))}
          </SortableContext>
        </ul>
      </DndContext>
      <div className="fc-columns-foot">
        <button
          type="button"
          className="fc-plain-button"
          disabled={isDefault && noWidths(control)}
          onClick={reset}
        >
          Reset columns
        </button>
      </div>
    </div>
  )
}

/** What screen readers say while a column is moved. */
function announceDrag(
  nameOf: (id: string | number | undefined) => string,
  order: readonly string[],
): NonNullable<ComponentProps<typeof DndContext>['accessibility']> {
  return {
    screenReaderInstructions: {
      draggable:
        'Press Space to pick up the column, the arrow keys to move it, Space to drop it, Escape to cancel.',
    },
    announcements: {
      onDragStart: ({ active }) => `${nameOf(active.id)} picked up.`,
      onDragOver: ({ active, over }) =>
        over && over.id !== active.id
          ? `${nameOf(active.id)} moved to the position of ${nameOf(over.id)}.`
          : undefined,
      onDragEnd: ({ active, over }) =>
        over ? `${nameOf(active.id)} dropped at position ${order.indexOf(String(over.id)) + 1}.` : undefined,
      onDragCancel: ({ active }) => `${nameOf(active.id)} was not moved.`,
    },
  }
}

type ColumnProps = { id: string; title: string; isShown: boolean; onToggle: () => void }

function Column({ id, title, isShown, onToggle }: ColumnProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({
      id,
    })
  return (
    <li
      ref={setNodeRef}
      className="fc-column"
      data-dragged={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <label>
        <input type="checkbox" checked={isShown} onChange={onToggle} />
        <span className="fc-grow">{title}</span>
      </label>
      <button
        ref={setActivatorNodeRef}
        type="button"
        className="fc-grip"
        {...attributes}
        {...listeners}
        aria-label={`Move ${title}`}
      >
        <IconGripVertical size={16} aria-hidden="true" />
      </button>
    </li>
  )
}

function split(columns: readonly ListColumn[]): [fixed: ListColumn[], movable: ListColumn[]] {
  return [columns.filter(({ field }) => field.isFixed), columns.filter(({ field }) => !field.isFixed)]
}

/** The visible columns in their order, with each hidden one after the column it follows in the default order. */
function orderOf(movable: readonly ListColumn[], shown: readonly string[]): string[] {
  const order = shown.filter((id) => movable.some((column) => column.id === id))
  movable.forEach(({ id }, place) => {
    if (order.includes(id)) return
    const before = movable[place - 1]?.id
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id)
  })
  return order
}

function noWidths({ look }: ListControl): boolean {
  return Object.keys(look.widths).length === 0
}
