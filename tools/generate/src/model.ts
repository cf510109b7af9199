/** The input of the writers: the contract without protobuf descriptors. */
export interface Contract {
  readonly messages: readonly Message[];
}

export interface Message {
  readonly name: string;
  readonly doc: string;
  /** Name of its .proto file, without path and suffix. */
  readonly group: string;
  readonly groupDoc: string;
  readonly fields: readonly Field[];
  readonly event?: EventRule;
  /** The journal entry type whose data this message is. */
  readonly entry?: string;
}

export type Channel = 'fact' | 'signal' | 'delta' | 'control' | 'inbox';

export interface EventRule {
  readonly type: string;
  readonly meaning: string;
  readonly established: boolean;
  readonly channel: Channel;
}

export interface Field {
  /** In camelCase, as on the wire. */
  readonly name: string;
  readonly doc: string;
  readonly required: boolean;
  readonly kind: 'single' | 'list' | 'map';
  readonly type: FieldType;
  readonly rule: Rule;
}

export type FieldType =
  | { readonly is: 'string' | 'integer' | 'number' | 'boolean' | 'json' | 'object' }
  | { readonly is: 'message'; readonly name: string };

export interface Rule {
  readonly in: readonly string[];
  /** The only allowed value, for an event's `type` field. */
  readonly constant?: string;
  readonly format?: string;
  readonly min?: number;
  readonly max?: number;
  readonly notBlank: boolean;
  readonly maxSize?: number;
}
