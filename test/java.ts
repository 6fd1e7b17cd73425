/** Options of Java for programs that end soon: what they gain from its second compiler is less than it takes. */
export const shortLived = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
