// A kernel as a program in Go: dot products in binary64 by the protocol of docs/pipe.md.
// gccgo -O2 dot.go -o dot (or go build dot.go), then: assay check --operation dot --subject ./dot
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

func dot(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += float64(x[i] * y[i]) // without the conversion, Go may fuse the product and the sum
	}
	return sum
}

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	check := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	line, err := in.ReadBytes('\n')
	check(err)
	var question struct{ Operation, Format string }
	check(json.Unmarshal(line, &question))
	if question.Operation != "dot" || question.Format != "f64" {
		fmt.Println(`{"error": "only dot in f64"}`)
		return
	}
	fmt.Println(`{"protocol": 1}`)
	for {
		var length uint32
		err := binary.Read(in, binary.LittleEndian, &length)
		if err == io.EOF {
			return
		}
		check(err)
		text := make([]byte, length)
		_, err = io.ReadFull(in, text)
		check(err)
		var header struct {
			Bytes   int
			Lengths map[string][]int
		}
		check(json.Unmarshal(text, &header))
		numbers := make([]float64, header.Bytes/8) // all x, then as many y
		check(binary.Read(in, binary.LittleEndian, numbers))
		x, y := numbers[:len(numbers)/2], numbers[len(numbers)/2:]
		results := make([]float64, len(header.Lengths["x"]))
		for i, n := range header.Lengths["x"] {
			results[i] = dot(x[:n], y[:n])
			x, y = x[n:], y[n:]
		}
		answer := fmt.Sprintf(`{"bytes": %d}`, 8*len(results))
		check(binary.Write(out, binary.LittleEndian, uint32(len(answer))))
		out.WriteString(answer)
		check(binary.Write(out, binary.LittleEndian, results))
		check(out.Flush())
	}
}
