/// What runs for long: jcstress tests, kill loops and the demo, behind one command line ([Stress]).
package io.holdfast.stress;
