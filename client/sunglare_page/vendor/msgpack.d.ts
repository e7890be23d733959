// The part of msgpack.js that the page uses.

/** Turns values into bytes; the keys of maps come in their order, or sorted. */
export function encode(value: unknown, options?: { sortKeys?: boolean }): Uint8Array<ArrayBuffer>;

/** Turns bytes into the value that they are, whatever that is; throws if they are none. */
export class Decoder {
  constructor(options?: { extensionCodec?: ExtensionCodec });
  decode(bytes: Uint8Array): unknown;
}

/** What stands for values of the types that an application may add. */
export class ExtensionCodec {
  register(extension: {
    type: number;
    encode: (value: unknown) => Uint8Array | null;
    decode: (data: Uint8Array) => unknown;
  }): void;
}
