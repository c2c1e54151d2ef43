import type { Token } from '@sotto/sdk/server'
import type { ComponentChildren } from 'preact'
import type { FormValues } from '../model/transfer-form.ts'
import { FieldError } from './field-error.tsx'

interface Props {
  readonly values: FormValues
  readonly change: (part: Partial<FormValues>) => void
  readonly tokens: readonly Token[]
  readonly error: string | undefined
  /** The typed amount in the page's own format; undefined if the person typed it in that format. */
  readonly understood: string | undefined
  /** The wallet's balance of the asset, and a button that enters the most that can be paid. */
  readonly children: ComponentChildren
}

/**
 * The fields for the amount, its asset and the asset that arrives. The person can also choose whether the paid or the
 * received amount is fixed.
 */
export function AmountField({ values, change, tokens, error, understood, children }: Props) {
  const { sourceId, destinationId, amount, mode } = values
  const isSwap = sourceId !== destinationId
  const swappable = tokens.filter(({ swappable }) => swappable)
  const isSwappable = swappable.some(({ assetId }) => assetId === sourceId)
  const targets = isSwappable ? swappable : tokens.filter(({ assetId }) => assetId === sourceId)
  const chooseSource = (next: string) =>
    change({ sourceId: next, ...(isSwap && next !== destinationId ? {} : { destinationId: next }) })
  return (
    <>
      <div class="field">
        <label for="amount">{mode === 'exact_out' && !isSwap ? 'They receive' : 'You pay'}</label>
        <div class="joined">
          <input
            id="amount"
            inputMode="decimal"
            autoComplete="off"
            placeholder="0.00"
            value={amount}
            aria-invalid={error !== undefined}
            aria-describedby="amount-error"
            onInput={({ currentTarget }) => change({ amount: currentTarget.value })}
          />
          <label class="visually-hidden" for="source">
            Asset that you pay with
          </label>
          <AssetSelect id="source" value={sourceId} tokens={tokens} change={chooseSource} />
        </div>
        {children}
        <FieldError id="amount-error" text={error} />
        {error !== undefined || understood === undefined ? null : (
          <p class="hint">This is {understood}.</p>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={mode === 'exact_out' && !isSwap}
            disabled={isSwap}
            onChange={({ currentTarget }) =>
              change({ mode: currentTarget.checked ? 'exact_out' : 'exact_in' })
            }
          />
          Add the fees on top, so that they receive exactly this amount
        </label>
      </div>
      {targets.length < 2 ? null : (
        <div class="field">
          <label for="destination">They receive it in</label>
          <AssetSelect
            id="destination"
            value={destinationId}
            tokens={targets}
            change={(next) => change({ destinationId: next })}
          />
        </div>
      )}
    </>
  )
}

interface SelectProps {
  readonly id: string
  readonly value: string
  readonly tokens: readonly Token[]
  readonly change: (assetId: string) => void
}

function AssetSelect({ id, value, tokens, change }: SelectProps) {
  return (
    <select id={id} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
      {tokens.map(({ assetId, symbol, name }) => (
        <option key={assetId} value={assetId}>
          {id === 'source' ? symbol : `${symbol}, ${name}`}
        </option>
      ))}
    </select>
  )
}
